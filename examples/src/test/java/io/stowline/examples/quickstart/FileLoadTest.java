package io.stowline.examples.quickstart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.table.Entity;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@AzuriteTest
class FileLoadTest {

    private static final String CSV = """
        country,name,population,note
        CH,Biel/Bienne,55000,"two
        lines"
        CH,Bern,134000,
        FR,Lyon,many,
        FR,Lille,1,2,3
        CH,Bern,1,twice
        """;

    @TempDir
    Path folder;

    private final String table = ScratchTable.name("rows");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void loadsRowsAndPutsTheOthersIntoAFile(TestStorage account) throws Exception {
        int code = run(
                account.connectionString(),
                "--input",
                file("cities.csv", CSV),
                "--partition-key",
                "{country}",
                "--row-key",
                "CITY:{name}",
                "--types",
                "population:long");

        assertThat(code).as(() -> err.toString(UTF_8)).isEqualTo(1);
        assertThat(entities(account))
                .containsExactly(
                        Entity.builder("CH", "CITY:Bern")
                                .set("country", "CH")
                                .set("name", "Bern")
                                .set("population", 134_000L)
                                .build(),
                        Entity.builder("CH", "CITY:Biel.2FBienne")
                                .set("country", "CH")
                                .set("name", "Biel/Bienne")
                                .set("population", 55_000L)
                                .set("note", "two\nlines")
                                .build());
        assertThat(rejected())
                .containsExactly(
                        "line,reason,row",
                        "5,population: no long,\"FR,Lyon,many,\"",
                        "6,\"5 values, but the header has 4 columns\",\"FR,Lille,1,2,3\"",
                        "7,an earlier row has the same keys,\"CH,Bern,1,twice\"");
        assertThat(out.toString(UTF_8)).containsPattern("loaded +2\n").containsPattern("rejected +3\n");
        assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains("3 rows were rejected; ");
        assertThat(folder.resolve("state")).doesNotExist();
    }

    @Test
    void infersTheTypesOfJsonLines(TestStorage account) throws Exception {
        String lines = """
            {"id": 7, "share": 1.5, "open": true, "text": "12", "tags": ["a"], "none": null}

            {"id": 8, "share": 2, "later": 3}
            """;

        assertThat(run(
                        account.connectionString(),
                        "--input",
                        file("shops.jsonl", lines),
                        "--partition-key",
                        "shops",
                        "--row-key",
                        "{id:number(4)}"))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(entities(account))
                .containsExactly(
                        Entity.builder("shops", "0007")
                                .set("id", 7L)
                                .set("share", 1.5)
                                .set("open", true)
                                .set("text", "12")
                                .set("tags", "[\"a\"]")
                                .build(),
                        Entity.builder("shops", "0008")
                                .set("id", 8L)
                                .set("share", 2.0)
                                .set("later", 3L)
                                .build());
        assertThat(folder.resolve("rejected.csv")).doesNotExist();
    }

    @Test
    void sendsNothingInADryRun() throws Exception {
        assertThat(run(
                        "not looked at",
                        "--dry-run",
                        "--input",
                        file("cities.csv", CSV),
                        "--partition-key",
                        "{country}",
                        "--row-key",
                        "{name}",
                        "--types",
                        "population:long"))
                .isEqualTo(1);

        assertThat(out.toString(UTF_8))
                .containsPattern("rows +5\n")
                .containsPattern("to be refused +3\n")
                .containsPattern("partitions +1\n")
                .containsPattern("requests, at least +1\n")
                .contains("line 5: population: no long")
                .contains("Hot spot: ");
        assertThat(err.toString(UTF_8)).contains("3 rows would be refused");
        assertThat(folder.resolve("state")).doesNotExist();
    }

    @Test
    void namesTheLineOfARowThatTheServiceRefuses(TestStorage account) throws Exception {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(account).start()) {
            proxy.when(RequestMatch.requests().method("PUT").path("**one**"))
                    .respond(StubResponse.tableError(400, "PropertiesNeedValue", "The values are not specified."));

            assertThat(run(
                            proxy.storage().connectionString(),
                            "--input",
                            file("rows.csv", "p,r\na,one\nb,two\n"),
                            "--partition-key",
                            "{p}",
                            "--row-key",
                            "{r}"))
                    .isEqualTo(1);
        }

        assertThat(rejected()).hasSize(2).last().asString().startsWith("2,").contains("PropertiesNeedValue");
        assertThat(entities(account)).extracting(Entity::rowKey).containsExactly("two");
    }

    @Test
    void refusesToGoOnWithAnotherLoad(TestStorage account) throws Exception {
        Files.createDirectories(folder.resolve("state"));
        Files.writeString(folder.resolve("state/load.txt"), "another load\n");

        assertThat(run(
                        account.connectionString(),
                        "--input",
                        file("rows.csv", "p,r\na,one\n"),
                        "--partition-key",
                        "{p}",
                        "--row-key",
                        "{r}"))
                .isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("state of another load");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --row-key {r}                             | --partition-key and --row-key are needed
        --partition-key {p} --row-key {missing}   | no column missing for the keys in [p, r]
        --partition-key {p --row-key {r}          | --partition-key {p:
        --partition-key {p} --row-key {r} --types r:lung | --types needs column:type
        --partition-key {p} --row-key {r} --types q:long | --types: no column q in [p, r]
        --partition-key {p} --row-key {r} --delimiter ab | --delimiter needs one character, not ab
        --partition-key {p} --row-key {r} --limit 0 | --limit needs a whole number from 1, not 0
        --partition-key {p} --row-key {r} --fast  | unknown option --fast
        --partition-key {p} --row-key {r} --table a_b | --table needs 3 to 63 letters and digits
        --partition-key {p} --row-key {r} --sample zipcodes | --input and --sample exclude each other
        """)
    void refusesWrongOptionsInOneLine(String options, String message) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--input", file("rows.csv", "p,r\na,one\n")));
        arguments.addAll(List.of(options.split(" ")));

        assertThat(run("not looked at", arguments.toArray(String[]::new))).isEqualTo(2);

        assertThat(err.toString(UTF_8).lines()).singleElement().asString().startsWith(message);
    }

    @Test
    void namesAFileInAnotherEncoding() throws Exception {
        Path file = Files.write(folder.resolve("latin.csv"), "p,r\nÅse,1\n".getBytes(ISO_8859_1));

        assertThat(run("not looked at", "--input", file.toString(), "--partition-key", "{p}", "--row-key", "{r}"))
                .isEqualTo(1);

        assertThat(err.toString(UTF_8)).contains("failed: " + file + " is no text in UTF-8");
    }

    @Test
    void namesAMissingFileAndKeepsTheConnectionStringToItself() throws Exception {
        assertThat(run("AccountKey=secret", "--input", "no.csv", "--partition-key", "{p}", "--row-key", "{r}"))
                .isEqualTo(2);
        assertThat(run(
                        "AccountKey=secret",
                        "--input",
                        file("a.csv", "p\n"),
                        "--partition-key",
                        "{p}",
                        "--row-key",
                        "{p}"))
                .isEqualTo(2);

        assertThat(err.toString(UTF_8)).contains("no.csv is no file").contains("--connection-string: ");
        assertThat(err.toString(UTF_8) + out.toString(UTF_8)).doesNotContain("secret");
    }

    @Test
    void installsADataSetFromNpmAndKeepsItsLeadingZeros() throws Exception {
        assertThat(run("not looked at", "--sample", "zipcodes", "--dry-run"))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(out.toString(UTF_8))
                .contains("ZIP code data: GeoNames")
                .contains("zip_code: string (inferred)", "latitude: double (inferred)")
                .containsPattern("rows +42,049\n")
                .containsPattern("partitions +59\n");
    }

    private int run(String connectionString, String... arguments) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of(
                "--table",
                table,
                "--state",
                folder.resolve("state").toString(),
                "--rejected",
                folder.resolve("rejected.csv").toString()));
        all.addAll(List.of(arguments));
        return QuickStart.PROGRAM.run(
                all,
                Map.of(ProgramAccount.VARIABLE, connectionString),
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8));
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    private List<String> rejected() throws IOException {
        return Files.readAllLines(folder.resolve("rejected.csv"));
    }

    private List<Entity> entities(TestStorage account) {
        try (Stowline storage = Stowline.connect(account.connectionString())) {
            return storage.table(table).query().list().stream()
                    .map(entity -> {
                        Entity.Builder plain = Entity.builder(entity.partitionKey(), entity.rowKey());
                        entity.properties().forEach(plain::set);
                        return plain.build();
                    })
                    .toList();
        }
    }
}
