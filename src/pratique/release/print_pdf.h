// HTML to PDF by Chromium without a window, where it is installed. It runs in a private folder as
// its home, so that it leaves nothing behind and touches nobody's profile, is told to load nothing,
// and is ended when it takes too long.
#pragma once

#include <chrono>
#include <string>

#include "pratique/core/progress.h"

namespace pratique::release {

// What the slowest machine should need for a report of many releases.
constexpr std::chrono::milliseconds kPrintingPatience = std::chrono::seconds(90);

// Throws the error that says how to get one when there is no Chromium.
void require_pdf_printer();
// Written whole or not at all.
void print_pdf(const std::string& html, const std::string& out, Progress& progress,
               std::chrono::milliseconds patience = kPrintingPatience, unsigned mode = 0644);

}  // namespace pratique::release
