package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.TableTransfers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A process that transfers a table, to be killed while it does. */
final class TableTransferProcess {

    private TableTransferProcess() {}

    /** Takes the connection string, the verb, the table, the target table and the file or the folder of the state. */
    public static void main(String[] args) {
        try (Stowline storage = Stowline.connect(args[0])) {
            run(storage, args[1], args[2], args[3], Path.of(args[4]));
        }
    }

    static void run(Stowline storage, String verb, String source, String target, Path path) {
        TableTransfers tables = storage.tables();
        switch (verb) {
            case "export" -> tables.export(source, path, with -> with.parallelism(2));
            case "import" ->
                tables.importFrom(
                        path, target, with -> with.mode(ImportMode.insertOnly()).parallelism(2));
            case "copy" ->
                tables.copy(source, storage.table(target), with -> with.mode(ImportMode.insertOnly())
                        .state(path)
                        .parallelism(2));
            case "compare" -> compare(storage, source, target, path);
            default -> throw new IllegalArgumentException("no verb of transfers: " + verb);
        }
    }

    private static void compare(Stowline storage, String source, String target, Path path) {
        try (Stream<EntityDifference> differences = storage.tables()
                .compare(
                        EntitySource.of(storage.table(source)),
                        EntitySource.of(storage.table(target)),
                        with -> with.parallelism(2))) {
            Files.write(path, differences.map(EntityDifference::toString).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
