package io.stowline.advisor.internal.evidence;

import java.util.HexFormat;

/**
 * The names of keys in reports: a hash, or the key itself if the settings allow it. Then it remembers the texts of the last keys in a
 * fixed number of places, each cut to 64 characters. Not thread-safe.
 */
public final class KeyTexts {

    private static final int PLACES = 1_024;
    private static final int MAX_CHARS = 64;

    private final boolean shown;
    private final long[] hashes;
    private final String[] texts;

    /**
     * Makes an empty memory.
     *
     * @param shown whether reports show keys
     */
    public KeyTexts(boolean shown) {
        this.shown = shown;
        this.hashes = new long[shown ? PLACES : 0];
        this.texts = new String[shown ? PLACES : 0];
    }

    void put(long hash, String key) {
        if (shown) {
            int place = (int) hash & (PLACES - 1);
            if (hashes[place] != hash) {
                hashes[place] = hash;
                texts[place] = key.length() <= MAX_CHARS ? key : key.substring(0, MAX_CHARS - 1) + '…';
            }
        }
    }

    String text(long hash) {
        int place = (int) hash & (PLACES - 1);
        return shown && hashes[place] == hash
                ? '\'' + texts[place] + '\''
                : "#" + HexFormat.of().toHexDigits(hash);
    }
}
