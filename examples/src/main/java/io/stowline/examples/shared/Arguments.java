package io.stowline.examples.shared;

import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;

/** The options of a command line, one after the other. Not thread-safe. */
public final class Arguments {

    private static final String WHOLE = "[0-9]{1,18}";

    private final Iterator<String> rest;

    /**
     * Begins at the first.
     *
     * @param arguments the command line
     */
    public Arguments(List<String> arguments) {
        this.rest = arguments.iterator();
    }

    /**
     * Whether there is another option.
     *
     * @return whether {@link #next} gives one
     */
    public boolean hasNext() {
        return rest.hasNext();
    }

    /**
     * Goes on to the next option.
     *
     * @return its name
     */
    public String next() {
        return rest.next();
    }

    /**
     * Takes the value of an option.
     *
     * @param option the option that was the last
     * @return what stands behind it
     * @throws UsageException if nothing does
     */
    public String value(String option) {
        if (!rest.hasNext()) {
            throw new UsageException(option + " needs a value");
        }
        return rest.next();
    }

    /**
     * Takes all options.
     *
     * @param taker is given each option, and takes its value from these arguments
     */
    public void forEach(BiConsumer<String, Arguments> taker) {
        while (rest.hasNext()) {
            taker.accept(rest.next(), this);
        }
    }

    /**
     * Takes the value of an option that is a number within limits.
     *
     * @param option the option that was the last
     * @param least the smallest number
     * @param most the largest number
     * @return what stands behind it
     * @throws UsageException if nothing or something else does
     */
    public int within(String option, int least, int most) {
        String value = value(option);
        if (!value.matches(WHOLE) || Long.parseLong(value) < least || Long.parseLong(value) > most) {
            throw new UsageException(option + " needs a number from " + least + " to " + most + ", not " + value);
        }
        return Integer.parseInt(value);
    }

    /**
     * Takes the value of an option that is a number.
     *
     * @param option the option that was the last
     * @return what stands behind it, at least 1
     * @throws UsageException if nothing or something else does
     */
    public long positive(String option) {
        String value = value(option);
        if (!value.matches(WHOLE) || Long.parseLong(value) == 0) {
            throw new UsageException(option + " needs a whole number of at least 1, not " + value);
        }
        return Long.parseLong(value);
    }

    /**
     * Takes the value of an option that is a number or zero.
     *
     * @param option the option that was the last
     * @return what stands behind it
     * @throws UsageException if nothing or something else does
     */
    public long fromZero(String option) {
        String value = value(option);
        if (!value.matches(WHOLE)) {
            throw new UsageException(option + " needs a whole number from 0, not " + value);
        }
        return Long.parseLong(value);
    }
}
