package io.stowline.examples.shared;

import java.util.ArrayList;
import java.util.List;

/** What is not as it should be. Not thread-safe. */
public final class Mismatches {

    private static final int SHOWN = 200;

    private final List<String> found = new ArrayList<>();

    /**
     * Notes what differs.
     *
     * @param what what is compared
     * @param is what it is
     * @param expected what it should be
     */
    public void expect(String what, Object is, Object expected) {
        if (!is.equals(expected)) {
            found.add(what + ": " + shortened(is) + ", not " + shortened(expected));
        }
    }

    private static String shortened(Object value) {
        String text = value.toString();
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    /**
     * All that differed.
     *
     * @return a line for each
     */
    public List<String> list() {
        return List.copyOf(found);
    }
}
