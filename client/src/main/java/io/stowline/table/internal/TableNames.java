package io.stowline.table.internal;

import io.stowline.transport.StorageLimits;
import java.util.regex.Pattern;

/** The service's rule for names of tables (its page "Understanding the table service data model"). */
final class TableNames {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]{%d,%d}"
            .formatted(StorageLimits.TABLE_NAME_MIN_CHARS - 1, StorageLimits.TABLE_NAME_MAX_CHARS - 1));

    private TableNames() {}

    static String check(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "table name '" + name + "' must be 3 to 63 letters and digits and begin with a letter ("
                            + name.length() + " characters given)");
        }
        if (name.equalsIgnoreCase("tables")) {
            throw new IllegalArgumentException("table name '" + name + "' is reserved by the service");
        }
        return name;
    }
}
