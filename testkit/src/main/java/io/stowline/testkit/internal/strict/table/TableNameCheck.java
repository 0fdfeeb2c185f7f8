package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.regex.Pattern;

/** The name of a table to be created. */
public final class TableNameCheck implements StrictCheck {

    private static final int SHORTEST = 3;
    private static final int MAX = 63;
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]*+");

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.method().equals("POST") && request.address().isTables()) {
            request.entity().flatMap(body -> body.text("TableName")).ifPresent(name -> check(name, rules));
        }
    }

    private static void check(String name, Rulebook rules) {
        if (name.length() < SHORTEST || name.length() > MAX) {
            rules.refuse(
                    StrictRule.TABLE_NAME_LENGTH,
                    "The specified resource name length is not within the permissible limits: " + name.length());
        }
        if (name.equalsIgnoreCase("tables")) {
            rules.refuse(StrictRule.TABLE_NAME_RESERVED, "One of the request inputs is not valid.");
        }
        if (!NAME.matcher(name).matches()) {
            rules.refuse(StrictRule.TABLE_NAME, "The specified resource name contains invalid characters.");
        }
    }
}
