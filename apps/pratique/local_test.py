#!/usr/bin/env python3
"""apps/pratique/local_test.py PROGRAM: local recoding is never worse where less is asked of it."""
import random
import unittest

from program_in_folder import ProgramInFolder


class LocalTest(ProgramInFolder):
    def loss(self, *options):
        result = self.result("tables", "protect", "people.csv", "--qi", "age,sex,job,zip", "--sensitive", "paid", "--method", "local",
                             "--seed", "1", "--out", "out.csv", *options)
        self.assertTrue(self.result("verify", "out.csv")["holds"])
        return result["metrics"]["lm"]

    def setUp(self):
        super().setUp()
        draw = random.Random(6)
        # Two sensitive values of which one is rare and goes with age, as incomes do.
        rows = []
        for _ in range(900):
            age = draw.randrange(17, 90)
            rows.append(f"{age},{draw.choice('FM')},{draw.choice('abcdefgh')},{draw.choice(['02138', '02139', '10025', '10027'])},"
                        f"{'much' if draw.random() < age / 400 else 'little'}\n")
        self.file("people.csv", "age,sex,job,zip,paid\n" + "".join(rows))

    def test_a_smaller_k_is_never_worse(self):
        losses = [self.loss("--k", str(k), "--l", "2") for k in (2, 3, 5, 7, 11, 20)]
        self.assertEqual(losses, sorted(losses))
        self.assertIn("models", self.result("tables", "explain", "out.csv", "--class", "1"))

    def test_more_suppression_is_never_worse(self):
        losses = [self.loss("--k", "5", "--suppression", str(share)) for share in (1, 0.2, 0.05, 0.01, 0)]
        self.assertEqual(losses, sorted(losses))


if __name__ == "__main__":
    unittest.main()
