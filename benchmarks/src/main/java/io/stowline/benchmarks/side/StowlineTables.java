package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Cities;
import io.stowline.benchmarks.side.work.Repetition;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.benchmarks.side.work.TransferFiles;
import io.stowline.table.transfer.TableTransfers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Transfers of whole tables as an application writes them with Stowline: checksums, state and parallelism as they are by default. */
final class StowlineTables {

    private final TableTransfers tables;
    private final TransferFiles files;

    StowlineTables(TableTransfers tables, TransferFiles files) {
        this.tables = tables;
        this.files = files;
    }

    Task exported(int rows) throws IOException {
        Path file = files.targets("stowline").resolve("exported.jsonl");
        return new Repetition(() -> tables.export(Cities.table(rows), file, settings -> settings.overwrite())
                .written());
    }

    /** Imports an export, which it makes first: its manifest shows that the file is sorted. */
    Task imported(int rows) throws IOException {
        Path file = files.targets("stowline").resolve(Cities.table(rows) + ".jsonl");
        return new Repetition(() -> {
            if (Files.notExists(file)) {
                tables.export(Cities.table(rows), file);
            }
            return tables.importFrom(file, Account.WRITTEN).written();
        });
    }
}
