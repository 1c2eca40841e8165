#include "pratique/synthetic/internal/note_templates.h"

#include <array>

namespace pratique::synthetic {
namespace {

using Lines = std::string_view;

constexpr auto kAdmissionHead = std::to_array<Lines>({
    "ADMISSION NOTE\nPatient: {name}\nMRN: {mrn}\nDOB: {dob}\nAdmitted: {date}\n",
    "{hospital}\nHISTORY AND PHYSICAL\n\nNAME: {NAME}    UNIT NO: {mrn}\nDATE OF ADMISSION: "
    "{date}\n",
    "Admit date: {date}\nPt: {NAME}  Age: {age}  Sex: {S}\nAttending: Dr. {dr}\n",
    "EMERGENCY DEPARTMENT RECORD\n{hospital}, {city}, {ST}\nPatient name: {name}\nDate of birth: "
    "{dob}\nMedical record number: {mrn}\n",
});
constexpr auto kAdmissionBody = std::to_array<Lines>({
    "CHIEF COMPLAINT: {dx}.\n",
    "{title} is a {age}-year-old {man} with a history of {dx} who presented on {date} with {dx}.\n",
    "HPI: {age} yo {man} known to Dr. {dr} for {dx}, transferred from {hospital} on {date}.\n",
    "{He} lives with {his} {kin} {rel} in {city}, {ST}.\n",
    "SOCIAL HISTORY: {He} works as a {job} at {org}. Denies tobacco.\n",
    "Home address: {street}, {city}, {ST} {zip}. Home phone {phone}.\n",
    "Emergency contact: {rel} ({kin}), {phone}.\n",
    "MEDICATIONS: {drug} {dose} mg daily, {drug} {dose} mg b.i.d.\n",
    "PHYSICAL EXAM: BP {bp}, pulse {n}, temp 98.{d}. Lungs clear. Abdomen soft, nontender.\n",
    "LABS: WBC {d}.{d}, Hgb 1{d}.{d}, Na 13{d}, creatinine 1.{d}.\n",
    "ALLERGIES: {drug}, which caused a rash in {year}.\n",
    "PAST MEDICAL HISTORY: {dx} diagnosed {date}, {dx}, appendectomy in {year}.\n",
    "Insurance: {org}, member ID {plan}, SSN {ssn}.\n",
    "Strength 5/5 in all extremities; reflexes 2+ and symmetric.\n",
    "FAMILY HISTORY: {his} {kin}, {rel}, has {dx}.\n",
    "ASSESSMENT: {dx}, likely due to {dx}. Start {drug} {dose} mg.\n",
    "{family} was last seen in our clinic on {date} by Dr. {dr}.\n",
    "The {kin}, {rel}, can be reached at {phone}.\n",
    "Patient {given} {family} denies chest pain, dyspnea, fever or chills.\n",
    "Pacemaker serial number {device}, implanted at {hospital}.\n",
});
constexpr auto kAdmissionFoot = std::to_array<Lines>({
    "\nDictated by: {dr}, MD\nD: {date}  T: {date}\n",
    "\nElectronically signed by {dr}, M.D. on {date}\n",
    "\n{dr}, MD\nPager {phone}\n",
    "\nAttending physician: Dr. {dr}\ncc: Dr. {dr}\n",
});
constexpr auto kDischargeHead = std::to_array<Lines>({
    "DISCHARGE SUMMARY\n\nPATIENT NAME: {NAME}\nMEDICAL RECORD NUMBER: {mrn}\nADMISSION DATE: "
    "{date}\nDISCHARGE DATE: {date}\n",
    "Discharge Summary - {hospital}\nName: {name}   MRN: {mrn}   Acct: {account}\nDate of birth: "
    "{dob}\n",
    "{hospital} Discharge\nPatient: {NAME} ({mrn})\nAdmit: {date} Discharge: {date}\nService: "
    "Medicine, Dr. {dr}\n",
    "Name: {name}\nUnit No: {mrn}\nAdmission Date: {date}   Discharge Date: {date}\nDate of Birth: "
    "{dob}   Sex: {S}\n",
});
constexpr auto kDischargeBody = std::to_array<Lines>({
    "HOSPITAL COURSE: {title} was admitted with {dx} and started on {drug} {dose} mg IV.\n",
    "On {date} {he} underwent cardiac catheterization by Dr. {dr}, without complication.\n",
    "On hospital day 3 {his} {dx} improved, and {he} was seen by {dr}, RN.\n",
    "DISPOSITION: {He} was discharged to {hospital} in stable condition.\n",
    "{He} was discharged home to {city} with {his} {kin} {rel}.\n",
    "FOLLOW-UP: Dr. {dr} on {date}, phone {phone}.\n",
    "DISCHARGE MEDICATIONS: {drug} {dose} mg p.o. daily; {drug} {dose} mg at bedtime.\n",
    "DIAGNOSES: 1. {dx}. 2. {dx}. 3. {dx}.\n",
    "Echocardiogram showed an ejection fraction of 5{d}%. Troponin negative x3.\n",
    "CONDITION ON DISCHARGE: stable, BP {bp}, afebrile, tolerating a regular diet.\n",
    "Please call {phone} or fax {fax} with questions.\n",
    "{title} will return to work at {org} in two weeks.\n",
    "The patient's {kin} {rel} was informed on {date} and agreed.\n",
    "Copies were sent to Dr. {dr} at {street}, {city}, {ST} {zip}.\n",
    "Results may be viewed at {url}.\n",
    "Mr. and Mrs. {family} understood the instructions.\n",
});
constexpr auto kPathologyHead = std::to_array<Lines>({
    "SURGICAL PATHOLOGY REPORT\nAccession: {acc}\nPatient: {NAME}   MRN: {mrn}\nCollected: {date}  "
    " Received: {date}\n",
    "{hospital}\nDepartment of Pathology\nCase: {acc}\nName: {name}\nDOB: {dob} (Age: "
    "{age})\nPhysician: {dr}, MD\n",
    "PATHOLOGY CONSULTATION {acc}\nPATIENT: {NAME}\nSUBMITTING PHYSICIAN: Dr. {dr}\nDATE OF "
    "PROCEDURE: {date}\n",
});
constexpr auto kPathologyBody = std::to_array<Lines>({
    "FINAL DIAGNOSIS: Colon, sigmoid, biopsy: {dx}.\n",
    "GROSS DESCRIPTION: Received in formalin labeled \"{family}\" is a tan-pink fragment measuring "
    "0.{d} x 0.{d} cm.\n",
    "CLINICAL HISTORY: {age} year old {man} with {dx}.\n",
    "MICROSCOPIC: Sections show {dx} with mild inflammation; margins are negative.\n",
    "The specimen is labeled with the patient's name, {name}, and {mrn}.\n",
    "Immunostains for CK7 and CK20 were performed; Ki-67 is low.\n",
    "Prior biopsy {acc} of {date} was reviewed by Dr. {dr}.\n",
    "These findings were discussed with Dr. {dr} by telephone ({phone}) on {date}.\n",
    "Gleason score 3+4, 1{d} of 20 lymph nodes involved.\n",
    "Slides were sent to {hospital} for consultation.\n",
});
constexpr auto kPathologyFoot = std::to_array<Lines>({
    "\n{dr}, M.D., Pathologist\nReported {date}\n",
    "\nSigned out by Dr. {dr} on {date}. Lab phone: {phone}\n",
});
constexpr auto kLetterHead = std::to_array<Lines>({
    "{hospital}\n{street}\n{city}, {ST} {zip}\nTel {phone}\nFax {fax}\n\n{date}\n\nRe: {name}, DOB "
    "{dob}\n\nDear Dr. {dr},\n",
    "{date}\n\nDr. {dr}\n{street}\n{city}, {ST} {zip}\n\nRE: {NAME}\nMRN: {mrn}\n\nDear {dr1},\n",
    "{date}\n\n{name}\n{street}\n{city}, {state} {zip}\n\nDear {title},\n",
});
constexpr auto kLetterBody = std::to_array<Lines>({
    "Thank you for referring {title}, whom I saw on {date}.\n",
    "I had the pleasure of seeing your patient {name} in clinic for {his} {dx}.\n",
    "{given} is a pleasant {age}-year-old {job} from {city}, {state}.\n",
    "As you know, {he} has had {dx} since {year}.\n",
    "{His} {kin} {rel} came along to the visit.\n",
    "I have increased {his} {drug} to {dose} mg and will see {him} again in six weeks.\n",
    "You can reach me at {email} or {phone}.\n",
    "{He} recently retired from {org}.\n",
    "The MRI of {date} at {hospital} was unremarkable.\n",
    "On examination the blood pressure was {bp}, the chest was clear.\n",
    "{title}'s {kin} {rel} suffers from {dx} as well.\n",
    "{He} drives a car with license plate {vehicle} and holds driver's license {licence}.\n",
    "{He} called us from {city} {feast}.\n",
});
constexpr auto kLetterFoot = std::to_array<Lines>({
    "\nWith kind regards,\n\n{dr}, MD\n",
    "\nSincerely,\n{dr}, M.D.\n{hospital}\n",
    "\nYours sincerely,\n\nDr. {dr}\ncc: {name}\n",
});
constexpr auto kQueryHead = std::to_array<Lines>({
    "From: {email}\nTo: {email}\nDate: {date}\nSubject: {NAME}\n\n",
    "Telephone note {date}, taken by {dr}, RN\n",
    "Patient portal message from {name} ({email}), {date}\n",
    "",
});
constexpr auto kQueryBody = std::to_array<Lines>({
    "{title} called about a refill of {drug} {dose} mg.\n",
    "Pt {given} {family} (mrn {mrn}) wants to know the result of the test on {date}.\n",
    "Please call {him} back at {phone} before {weekday}.\n",
    "hi, this is {given}, I still have {dx} since {date}. Should I come in?\n",
    "{His} {kin} {rel} says {he} has been confused since {date}.\n",
    "Last login from {ip}, account {account}.\n",
    "Bill to {org}, policy {plan}; ssn {ssn}.\n",
    "New address: {street}, {city}, {ST} {zip}.\n",
    "Advised to increase fluids and to go to {hospital} if worse.\n",
    "Spoke with Dr. {dr}; agrees with {drug}.\n",
    "No fever, no chest pain. Takes {drug} as needed.\n",
});
constexpr auto kQueryFoot = std::to_array<Lines>({
    "\nThanks, {given}\n",
    "\n{dr}, RN\n",
    "\n-- {dr}, MD, {hospital}, {phone}\n",
});

constexpr std::array<NoteTemplates, 5> kNotes = {{
    {"admission", kAdmissionHead, kAdmissionBody, kAdmissionFoot},
    {"discharge", kDischargeHead, kDischargeBody, kAdmissionFoot},
    {"pathology", kPathologyHead, kPathologyBody, kPathologyFoot},
    {"letter", kLetterHead, kLetterBody, kLetterFoot},
    {"query", kQueryHead, kQueryBody, kQueryFoot},
}};

}  // namespace

std::span<const NoteTemplates> note_templates() { return kNotes; }

}  // namespace pratique::synthetic
