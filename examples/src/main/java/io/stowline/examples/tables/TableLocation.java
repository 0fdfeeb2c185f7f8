package io.stowline.examples.tables;

import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A source or target of the command line: a file such as {@code runners.jsonl.gz}, or a table such as {@code registrations} or {@code
 * backup/registrations}. Exactly one of both is present.
 *
 * @param file the file
 * @param account the word before the table; empty for the usual account
 * @param table the table
 */
record TableLocation(Optional<Path> file, String account, Optional<String> table) {

    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*");

    /** Reads a location: names of tables and accounts have no dot, and names of files have an ending. */
    static TableLocation of(String text) {
        if (text.isEmpty()) {
            throw new UsageException(
                    "a source or target is empty: name a table, ACCOUNT/TABLE, or a file with its ending");
        }
        if (text.contains(".")) {
            return new TableLocation(Optional.of(path(text)), "", Optional.empty());
        }
        int slash = text.indexOf('/');
        String account = slash < 0 ? "" : text.substring(0, slash);
        String table = text.substring(slash + 1);
        if (table.isEmpty()
                || table.contains("/")
                || (slash >= 0 && !ACCOUNT.matcher(account).matches())) {
            throw new UsageException(
                    text + " is no table, no ACCOUNT/TABLE, and no file with an ending such as .jsonl.gz");
        }
        return new TableLocation(Optional.empty(), account, Optional.of(table));
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UsageException(text + " is no file: " + e.getReason());
        }
    }

    /** Returns the name of the table that this is. */
    String name() {
        return table.orElseThrow(() -> new UsageException(this + " is a file where a table is needed"));
    }

    /** Returns the file that this is. */
    Path path() {
        return file.orElseThrow(() -> new UsageException(
                this + " is a table where a file is needed: its name has an ending such as .jsonl.gz"));
    }

    /** Returns the variable with the connection string of the account. */
    String variable() {
        return account.isEmpty()
                ? ProgramAccount.VARIABLE
                : ProgramAccount.VARIABLE + "_"
                        + account.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    @Override
    public String toString() {
        return file.map(Path::toString).orElseGet(() -> (account.isEmpty() ? "" : account + "/") + table.orElseThrow());
    }
}
