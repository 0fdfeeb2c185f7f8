package io.stowline.advisor.internal.rule;

import io.stowline.advisor.Practice;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;

/** The texts of a practice that no traffic changes: its mend, the mend as a line of code, and the limits of its judgement. */
public final class PracticeTexts {

    private static final Properties TEXTS = load();

    private PracticeTexts() {}

    private static Properties load() {
        Properties texts = new Properties();
        try (InputStream file = Objects.requireNonNull(
                        PracticeTexts.class.getResourceAsStream("practices.properties"), "practices.properties");
                Reader reader = new InputStreamReader(file, StandardCharsets.UTF_8)) {
            texts.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts;
    }

    /** Returns the change that mends a practice. */
    public static String mend(Practice practice) {
        return text(practice, "mend");
    }

    /** Returns the change as a line of Java, or an empty text where no line mends it. */
    public static String code(Practice practice) {
        return TEXTS.getProperty(practice + ".code", "");
    }

    /** Returns the causes for which the judgement may be wrong, or for which there is none. */
    public static String limits(Practice practice) {
        return text(practice, "limits");
    }

    private static String text(Practice practice, String kind) {
        return Objects.requireNonNull(TEXTS.getProperty(practice + "." + kind), practice + "." + kind);
    }
}
