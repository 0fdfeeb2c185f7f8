package io.stowline.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One program on machines with other settings than those of this build: each gives what the first one gives. */
@AzuriteTest
@Timeout(300)
class MachinesIT {

    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
    private static final String UTF_8_NAMES = "C.UTF-8";
    private static final List<String> FILES =
            List.of("INDEX.TXT", "title/index 1.txt", "title/I i.bin", "title/deep/a+b&c=d %41.txt");
    private static final List<String> FOREIGN = List.of("ışık.txt", "日本/日本.txt", "\u0661.txt");

    @TempDir
    Path folder;

    /** A machine: options of its JVM and the encoding of its file names. */
    private record Machine(String name, String locale, List<String> options) {

        Machine(String name, String locale, String... options) {
            this(name, locale, List.of(options));
        }
    }

    /** The results of the program, and its machine's forms of numbers, cases, charsets and zones. */
    private record Run(List<String> lines, String machine) {}

    private Run run(Azurite azurite, Machine machine, Path elsewhere) throws Exception {
        return run(azurite, azurite.connectionString(), machine, elsewhere);
    }

    private Run run(Azurite azurite, String connectionString, Machine machine, Path elsewhere) throws Exception {
        Path work = Files.createDirectories(folder.resolve(machine.name));
        for (String file : FILES) {
            file(work.resolve(MachineProgram.SOURCE), file);
        }
        Path foreign = Files.createDirectories(work.resolve(MachineProgram.FOREIGN));
        for (String file : FOREIGN) {
            file(foreign, file);
        }
        List<String> options = new ArrayList<>(
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-Duser.home=" + elsewhere, "-Djava.io.tmpdir=" + elsewhere));
        options.addAll(machine.options);
        Path log = work.resolve("log.txt");
        ProcessBuilder builder = ForkedJvm.of(
                        MachineProgram.class,
                        options,
                        connectionString,
                        azurite.accountName(),
                        azurite.accountKey(),
                        work.toString())
                .directory(elsewhere.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.command().addAll(0, withoutPrivileges());
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
        builder.environment().remove("HOME");
        builder.environment().put("LC_ALL", machine.locale);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(machine.name).isTrue();
            assertThat(process.exitValue())
                    .as("%s: %s", machine.name, new String(Files.readAllBytes(log), UTF_8))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
        return new Run(
                Files.readAllLines(work.resolve(MachineProgram.RESULT), UTF_8),
                Files.readString(work.resolve(MachineProgram.MACHINE)));
    }

    /** The account is in the host as in Azure. The emulator does not respond to transactions of tables there. */
    private static String hostStyle(Azurite azurite) {
        String account = azurite.accountName();
        return "DefaultEndpointsProtocol=http;AccountName=" + account + ";AccountKey=" + azurite.accountKey()
                + ";BlobEndpoint=http://" + account + ".blob.localhost:"
                + azurite.blobEndpoint().getPort() + ";QueueEndpoint=http://" + account + ".queue.localhost:"
                + azurite.queueEndpoint().getPort() + ";TableEndpoint=" + azurite.tableEndpoint();
    }

    private static void file(Path folder, String name) throws IOException {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, name);
    }

    /** A build that runs as root may write everywhere, unless it gives that up. */
    private static List<String> withoutPrivileges() {
        return System.getProperty("user.name").equals("root") && Files.isExecutable(SETPRIV)
                ? List.of(SETPRIV.toString(), "--bounding-set=-all", "--inh-caps=-all")
                : List.of();
    }

    private static List<String> common(Run run) {
        return run.lines.stream()
                .filter(line -> !line.startsWith(MachineProgram.FOREIGN))
                .toList();
    }

    @Test
    @DisplayName("WORLD-5: digits, cases, charset, zone, file names, folders and addresses of another machine change"
            + " nothing")
    void sameResultOnEachMachine(Azurite azurite) throws Exception {
        assumeThat(System.getProperty("sun.jnu.encoding")).as("file names").isEqualTo("UTF-8");
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("r-xr-xr-x"));

        Run usual = run(
                azurite,
                new Machine("usual", UTF_8_NAMES, "-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC"),
                elsewhere);
        Path hosts = Files.writeString(
                folder.resolve("hosts"),
                "127.0.0.1 localhost %1$s.blob.localhost %1$s.queue.localhost\n".formatted(azurite.accountName()));
        Run turkey = run(
                azurite,
                hostStyle(azurite),
                new Machine(
                        "turkey",
                        UTF_8_NAMES,
                        "-Duser.language=tr",
                        "-Duser.country=TR",
                        "-Dfile.encoding=ISO-8859-1",
                        "-Duser.timezone=Asia/Kathmandu",
                        "-Djdk.net.hosts.file=" + hosts),
                elsewhere);
        Run egypt = run(azurite, new Machine("egypt", "C", "-Duser.language=ar", "-Duser.country=EG"), elsewhere);

        assertThat(usual.machine).isEqualTo("123 TITLE UTF-8 UTC UTF-8");
        assertThat(turkey.machine).isEqualTo("123 T\u0130TLE ISO-8859-1 Asia/Kathmandu UTF-8");
        assertThat(egypt.machine).startsWith("\u0661\u0662\u0663 TITLE ").endsWith("ANSI_X3.4-1968");
        assertThat(turkey.lines).isEqualTo(usual.lines);
        assertThat(common(egypt)).isEqualTo(common(usual));
        assertThat(usual.lines).contains("foreign upload = 3 0", "foreign download = 5 0");
        assertThat(egypt.lines)
                .contains("foreign upload = 0 3", "foreign download = 1 1")
                .filteredOn(line -> line.startsWith("foreign failed"))
                .hasSize(4)
                .allMatch(line -> line.contains("LC_ALL=C.UTF-8"));
    }
}
