package io.stowline.testkit.internal.strict.rule;

import io.stowline.testkit.StrictRule;
import java.util.regex.Pattern;

/** The names of queues and containers: lower-case letters, digits and single hyphens inside. */
public final class ResourceNames {

    private static final int SHORTEST = 3;
    private static final int MAX = 63;

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(?:-[a-z0-9]+)*+");

    private ResourceNames() {}

    public static void check(String name, StrictRule charactersRule, StrictRule lengthRule, Rulebook rules) {
        if (name.length() < SHORTEST || name.length() > MAX) {
            rules.refuse(
                    lengthRule,
                    "The specified resource name length is not within the permissible limits: " + name.length());
        }
        if (!NAME.matcher(name).matches()) {
            rules.refuse(charactersRule, "The specified resource name contains invalid characters.");
        }
    }
}
