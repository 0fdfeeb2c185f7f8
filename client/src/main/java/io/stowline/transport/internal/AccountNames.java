package io.stowline.transport.internal;

import java.util.regex.Pattern;

/**
 * Names of accounts. Azure's have 3 to 24 lower-case letters and digits; emulators are not so strict. Whatever cannot be one may be a
 * key in the wrong place, and is not shown.
 */
final class AccountNames {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    private AccountNames() {}

    static String check(String setting, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    setting + " is not a name of 1 to 63 letters and digits (it is not shown, it may be a key)");
        }
        return name;
    }
}
