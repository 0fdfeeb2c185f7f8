package io.stowline.benchmarks.side.work;

import java.util.LinkedHashMap;
import java.util.Map;

/** Entities of a size, by the service's count of two bytes for a character: of as few texts as its limit for a property allows. */
public final class SizedEntities {

    /** The partition of all of them. */
    public static final String PARTITION = "sizes";

    /** The most characters of a property, 64 KiB. */
    static final int PROPERTY = 32 << 10;

    private static final int CHARACTERS_PER_KIB = 512;
    private static final String WORDS = "barley and rye that wait for the harvest ";

    private SizedEntities() {}

    /** Returns the properties of an entity of this many KiB, by their names. */
    public static Map<String, String> texts(int kib) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int left = kib * CHARACTERS_PER_KIB; left > 0; left -= PROPERTY) {
            texts.put("text" + texts.size(), text(Math.min(left, PROPERTY)));
        }
        return texts;
    }

    private static String text(int length) {
        return WORDS.repeat(length / WORDS.length() + 1).substring(0, length);
    }
}
