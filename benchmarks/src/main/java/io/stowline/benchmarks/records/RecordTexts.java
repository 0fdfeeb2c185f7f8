package io.stowline.benchmarks.records;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Texts of 1 KiB with a line end. */
final class RecordTexts {

    /** The bytes of a record with its line end. */
    static final int SIZE = 1024;

    private static final int NUMBER = 1024;
    private static final String[] TEXTS = texts();

    private RecordTexts() {}

    private static String[] texts() {
        Random random = new Random(45);
        String[] texts = new String[NUMBER];
        byte[] letters = new byte[SIZE - 1];
        for (int i = 0; i < NUMBER; i++) {
            for (int at = 0; at < letters.length; at++) {
                letters[at] = (byte) ('a' + random.nextInt(26));
            }
            texts[i] = new String(letters, StandardCharsets.US_ASCII);
        }
        return texts;
    }

    static String text(long number) {
        return TEXTS[(int) (number % NUMBER)];
    }
}
