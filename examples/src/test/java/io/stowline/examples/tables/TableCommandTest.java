package io.stowline.examples.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@AzuriteTest
class TableCommandTest {

    private final String runners = ScratchTable.name("runners");
    private final String restored = ScratchTable.name("restored");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int run(TestStorage account, String... arguments) throws InterruptedException {
        out.reset();
        err.reset();
        Map<String, String> environment = new HashMap<>();
        environment.put(ProgramAccount.VARIABLE, account.connectionString());
        environment.put(ProgramAccount.VARIABLE + "_OTHER_ACCOUNT", account.connectionString());
        environment.put(ProgramAccount.VARIABLE + "_WRONG", "AccountName=x");
        return TableCommand.PROGRAM.run(
                List.of(arguments), environment, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }

    private void done(TestStorage account, String... arguments) throws InterruptedException {
        assertThat(run(account, arguments)).as(() -> err.toString(UTF_8)).isZero();
    }

    private void fill(TestStorage account) {
        try (Stowline storage = Stowline.connect(account.connectionString())) {
            Table<Entity> table = storage.table(runners);
            table.create();
            for (String course : List.of("full", "half", "hobby")) {
                var transaction = table.transaction(course);
                for (int i = 0; i < 50; i++) {
                    transaction.insert(Entity.builder(course, String.format("%05d", i))
                            .set("age", 20 + i)
                            .set("name", "Runner " + i)
                            .set("paid", (long) i << 40)
                            .set("time", i % 2 == 0 ? Double.NaN : -0.0)
                            .build());
                }
                transaction.commit();
            }
        }
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private long rows(TestStorage account, String table) {
        try (Stowline storage = Stowline.connect(account.connectionString())) {
            return storage.table(table).query().count();
        }
    }

    @Test
    @DisplayName("export, import and compare, each also as a dry run")
    void roundTrip(TestStorage account) throws Exception {
        fill(account);
        String file = file("runners.jsonl.gz");

        done(account, "export", runners, file, "--dry-run", "--parallel", "2");
        assertThat(out.toString(UTF_8)).containsPattern("would be written +150");
        assertThat(Path.of(file)).doesNotExist();
        done(account, "export", runners, file, "--parallel", "2");
        assertThat(out.toString(UTF_8)).containsPattern("written +150").contains("checksum");

        done(account, "import", file, restored, "--dry-run");
        assertThat(out.toString(UTF_8)).contains("The table " + restored + " would be made");
        done(account, "import", file, restored, "--rate", "100000");
        assertThat(out.toString(UTF_8))
                .contains("The table " + restored + " was made")
                .containsPattern("written +150");
        done(account, "compare", runners, restored);
        assertThat(out.toString(UTF_8)).contains("Both have the same entities");
        done(account, "compare", file, "other-account/" + restored);
        done(account, "compare", file, file);
    }

    @Test
    @DisplayName("a comparison names each difference and exits with 1")
    void differences(TestStorage account) throws Exception {
        fill(account);
        done(account, "copy", runners, restored, "--state", file("state"), "--rejected", file("rejected.jsonl"));
        try (Stowline storage = Stowline.connect(account.connectionString())) {
            Table<Entity> table = storage.table(restored);
            table.delete("full", "00001");
            table.insert(Entity.builder("full", "99999").set("age", 1).build());
            table.merge("half", "00002").set("paid", 2).update();
        }

        assertThat(run(account, "compare", runners, restored)).isOne();
        assertThat(out.toString(UTF_8))
                .contains(
                        "only in " + runners + ": ('full', '00001')",
                        "only in " + restored + ": ('full', '99999')",
                        "different: ('half', '00002') in paid");
        assertThat(err.toString(UTF_8)).contains("differs: 3 entities");
        done(account, "compare", runners, restored, "--partition", "hobby");
        assertThat(run(account, "compare", runners, restored, "--prefix", "h")).isOne();
        done(account, "compare", runners, restored, "--prefix", "h", "--select", "age,name");
    }

    @Test
    @DisplayName("the scope of an export, and CSV")
    void scope(TestStorage account) throws Exception {
        fill(account);
        String file = file("some.csv");

        done(account, "export", runners, file, "--prefix", "h", "--where", "age ge 60", "--select", "age,name");
        assertThat(out.toString(UTF_8)).containsPattern("written +20");
        assertThat(run(account, "export", runners, file, "--select", "age")).isOne();
        assertThat(err.toString(UTF_8)).contains("exists: set overwrite to replace it");
        assertThat(run(account, "export", runners, file("more.csv"))).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("name them with --select");
        done(account, "export", runners, file, "--select", "age", "--partition", "full", "--overwrite");
        assertThat(out.toString(UTF_8)).containsPattern("written +50");

        String typed = Files.writeString(folder.resolve("typed.csv"), "PartitionKey,RowKey,age\nfull,1,7\n")
                .toString();
        done(account, "import", typed, restored, "--types", "age:int64");
        assertThat(run(account, "compare", typed, restored, "--types", "age:int32"))
                .isOne();
        done(account, "compare", typed, restored, "--types", "age:int64");
    }

    @Test
    @DisplayName(
            "the scope of an import and of a comparison with a file, and rejected rows that are imported with another"
                    + " mode")
    void scopeOfAFile(TestStorage account) throws Exception {
        fill(account);
        String file = file("runners.jsonl.gz");
        done(account, "export", runners, file);
        String[] scope = {"--prefix", "h", "--where", "age ge 60", "--select", "age"};

        done(account, with(scope, "import", file, restored, "--rate", "100000"));
        assertThat(out.toString(UTF_8)).containsPattern("written +20");
        done(account, with(scope, "compare", file, restored, "--rate", "100000"));
        assertThat(run(account, "import", file, restored, "--where", "startswith(name,'x')"))
                .isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("the function startswith");

        assertThat(run(account, "import", file, restored, "--mode", "insert-only"))
                .isOne();
        assertThat(err.toString(UTF_8)).contains("20 rows were rejected");
        done(account, "import", file + ".rejected.jsonl", restored);
        done(account, "compare", file, restored);
    }

    private static String[] with(String[] scope, String... command) {
        return Stream.concat(Arrays.stream(command), Arrays.stream(scope)).toArray(String[]::new);
    }

    @Test
    @DisplayName("a copy to another account by conditions, rows that exist are rejected, and are in the named file")
    void copy(TestStorage account) throws Exception {
        fill(account);
        String[] command = {
            "copy",
            runners,
            "other-account/" + restored,
            "--row-prefix",
            "0000",
            "--where",
            "age lt 25",
            "--mode",
            "insert-only",
            "--state",
            file("state"),
            "--rejected",
            file("rejected.jsonl"),
            "--parallel",
            "3"
        };
        done(account, command);
        assertThat(rows(account, restored)).isEqualTo(15);
        done(account, command);
        assertThat(out.toString(UTF_8)).containsPattern("unchanged +15");
        try (Stowline storage = Stowline.connect(account.connectionString())) {
            storage.table(restored).merge("full", "00000").set("age", 1).update();
        }
        assertThat(run(account, command)).isOne();
        assertThat(err.toString(UTF_8)).contains("1 rows were rejected; ", "rejected.jsonl");
        assertThat(Files.readAllLines(folder.resolve("rejected.jsonl"))).hasSize(1);
        assertThat(folder.resolve("state")).doesNotExist();
    }

    @Test
    @DisplayName("entities are deleted by conditions at a rate, and the table on request")
    void deletion(TestStorage account) throws Exception {
        fill(account);

        done(account, "rm", runners, "--prefix", "h", "--where", "age ge 60", "--dry-run");
        assertThat(out.toString(UTF_8)).containsPattern("would be deleted +20");
        done(account, "rm", runners, "--prefix", "h", "--where", "age ge 60", "--parallel", "2");
        assertThat(out.toString(UTF_8)).containsPattern("deleted +20");
        long began = System.nanoTime();
        done(account, "rm", runners, "--partition", "full", "--row-prefix", "0", "--rate", "40");
        assertThat(System.nanoTime() - began).isGreaterThan(1_000_000_000L);
        assertThat(rows(account, runners)).isEqualTo(80);

        done(account, "rm", runners, "--whole-table", "--dry-run");
        assertThat(out.toString(UTF_8)).contains("would be deleted");
        done(account, "rm", runners, "--whole-table");
        assertThat(run(account, "rm", runners, "--whole-table")).isOne();
        assertThat(err.toString(UTF_8)).contains("failed: ");
        assertThat(run(account, "export", runners, file("a.jsonl"))).isOne();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                                           | export, import, copy, compare or rm is needed
        move a b                                     | not move
        export abc                                   | a source and a target, not abc
        compare abc                                  | two sides
        rm                                           | a table, not nothing
        export abc def                               | def is a table where a file is needed
        export a.jsonl b.jsonl                       | a.jsonl is a file where a table is needed
        import abc def                               | abc is a table where a file is needed
        copy abc abc                                 | abc is both source and target
        copy abc x/y/z                               | x/y/z is no table
        copy abc /y                                  | /y is no table
        copy a_b abc                                 | a_b
        export abc a.txt                             | .txt
        export abc a.csv                             | select
        export abc a.jsonl --parallel 0              | --parallel needs a number from 1 to 64, not 0
        export abc a.jsonl --parallel 65             | --parallel needs a number from 1 to 64, not 65
        export abc a.jsonl --rate 0                  | --rate needs a number from 1 to 10000000, not 0
        export abc a.jsonl --rate fast               | --rate needs a number
        export abc a.jsonl --rate                    | --rate needs a value
        export abc a.jsonl --frob                    | unknown option --frob
        export abc a.jsonl --where (age              | --where:
        export abc a.jsonl --select age,,b           | --select:
        export abc a.jsonl --partition a/b           | --partition:
        export abc a.jsonl --row-prefix a#           | --row-prefix:
        export abc a.jsonl --partition a --prefix b  | --partition and --prefix are both given
        export abc a.jsonl --mode merge              | --mode does not belong to export
        import a.jsonl abc --where (x                | --where:
        import a.jsonl abc --overwrite               | --overwrite does not belong to import
        import a.jsonl abc --mode upsert             | --mode: upsert is no mode
        import a.jsonl abc --mode replace-if-newer:  | --mode:
        import a.csv abc --types age                 | --types: 'age' is no name:type
        import a.csv abc --types age:int             | --types: 'age:int' is no name:type
        compare abc def --mode merge                 | --mode does not belong to compare
        compare abc def --dry-run                    | --dry-run does not belong to compare
        rm abc                                       | say --whole-table
        rm abc --whole-table --partition x           | leave it out
        rm abc --select age                          | --select does not belong to rm
        copy unset/abc def                           | AZURE_STORAGE_CONNECTION_STRING_UNSET is not set
        copy wrong/abc def                           | AZURE_STORAGE_CONNECTION_STRING_WRONG:
        """)
    void misuse(String line, String message, TestStorage account) throws Exception {
        assertThat(run(account, line.isEmpty() ? new String[0] : line.split(" ")))
                .isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains(message).contains("--help");
    }

    @Test
    void help(TestStorage account) throws Exception {
        done(account, "--help");
        assertThat(out.toString(UTF_8)).contains("tables export TABLE FILE");
    }

    @Test
    @DisplayName("a file that is missing, or that is no table file, is a failure with its name")
    void missingFile(TestStorage account) throws Exception {
        assertThat(run(account, "import", file("none.jsonl"), restored)).isOne();
        assertThat(err.toString(UTF_8)).contains("failed: ", "none.jsonl");
        assertThat(run(account, "compare", file("none.jsonl"), file("none.csv")))
                .isOne();
    }
}
