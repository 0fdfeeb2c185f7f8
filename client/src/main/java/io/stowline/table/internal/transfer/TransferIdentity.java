package io.stowline.table.internal.transfer;

import io.stowline.table.Table;
import io.stowline.table.internal.format.TableFileRows;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.operation.TableHolder;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.internal.writer.TableService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.TreeMap;

/**
 * The identity of a transfer, which its state holds: both ends with their accounts, and each setting that decides the result. It has no
 * credential. A state serves a transfer of an equal identity and no other one.
 */
final class TransferIdentity {

    /** The version of the files of a state. */
    private static final int FORMAT = 2;

    private TransferIdentity() {}

    /** Returns the identity as text. */
    static String of(String verb, String source, String target, TransferScope scope) {
        StringBuilder text = new StringBuilder(verb)
                .append(" of ")
                .append(source)
                .append(" to ")
                .append(target)
                .append("; ")
                .append(scope.settings().mode())
                .append("; ")
                .append(scope.text());
        new TreeMap<>(scope.settings().columns()).forEach((name, kind) -> text.append("column ")
                .append(TransferScope.quoted(name))
                .append(' ')
                .append(kind)
                .append("; "));
        if (scope.settings().allowEmptyKeys()) {
            text.append("allowEmptyKeys; ");
        }
        return text.append("format ").append(FORMAT).toString();
    }

    /** Returns a table with its account and host: a copy of an account behind another host has other rows. */
    static String table(TableService service, String table) {
        return service.accountName() + "/" + table + " at " + service.host();
    }

    /**
     * Returns the target of a copy with its account.
     *
     * @throws IllegalArgumentException if it is a table that another library implements, whose account is not known
     */
    static String table(Table<?> table) {
        if (table instanceof TableHolder<?> holder && holder.member() instanceof TableContext<?> context) {
            return table(context.service(), table.name());
        }
        throw new IllegalArgumentException("the target " + table.getClass().getName()
                + " is no table of a Stowline: a copy cannot know its account");
    }

    /** Returns a table file, or all data files of a manifest, with their lengths and times. */
    static String file(Path file) throws IOException {
        long bytes = 0;
        FileTime newest = FileTime.fromMillis(0);
        for (Path each : TableFileRows.files(file)) {
            bytes += Files.size(each);
            FileTime time = Files.getLastModifiedTime(each);
            newest = time.compareTo(newest) > 0 ? time : newest;
        }
        return TransferScope.quoted(String.valueOf(file.getFileName())) + " (" + bytes + " bytes of " + newest + ")";
    }
}
