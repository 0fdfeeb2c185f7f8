package io.stowline.caching.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.stowline.caching.ResponseCache;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class OwnFolderTest {

    @TempDir
    Path parent;

    private Path folder = Path.of("");

    @BeforeEach
    void name() {
        folder = parent.resolve("cache");
    }

    /** Another process that opens the folder, says how that ended and keeps it until its input ends. */
    static final class Other {

        public static void main(String[] arguments) throws IOException {
            try (DiskTier tier = DiskTier.open(Path.of(arguments[0]), 1 << 20)) {
                Responses.put(tier, "other", "of the other process");
                System.out.println("open");
                System.in.read();
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private Process other() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(List.of(
                        java,
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        Other.class.getName(),
                        folder + ""))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String line(Process process) throws IOException {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line;
        do {
            line = lines.readLine();
        } while (line != null && !line.equals("open") && !line.startsWith("the cache"));
        return String.valueOf(line);
    }

    private static void end(Process process) throws Exception {
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aFolderHasOneOwnerInAProcess() throws Exception {
        try (DiskTier first = DiskTier.open(folder, 1 << 20)) {
            assertThatIOException()
                    .isThrownBy(() -> DiskTier.open(folder, 1 << 20))
                    .withMessageContaining(folder.toRealPath().toString())
                    .withMessageContaining(
                            "in use by process " + ProcessHandle.current().pid());
            Responses.put(first, "key", "text");

            Process other = other();
            assertThat(line(other))
                    .as("a refused second owner has not taken the lock from the first")
                    .contains("in use by process " + ProcessHandle.current().pid());
            end(other);
        }
        try (DiskTier second = DiskTier.open(folder, 1 << 20)) {
            assertThat(Responses.find(second, "key")).isEqualTo("text");
        }
    }

    @Test
    @DisplayName(
            "CACHE-5: a folder has one owner, whatever class loader a second cache has, and the first one keeps it")
    void aFolderHasOneOwnerOverClassLoaders() throws Exception {
        folder = parent.resolve(DiskStore.FOLDER);
        try (DiskTier first = DiskTier.open(folder, 1 << 20);
                URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            for (int i = 0; i < 2; i++) {
                AutoCloseable second = openedBy(loader);
                Responses.put(first, "key", "text");
                second.close();
            }
            Process other = other();
            assertThat(line(other))
                    .as("a cache of another class loader has not taken the lock from the first")
                    .contains("in use by process " + ProcessHandle.current().pid());
            end(other);
        }
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            AutoCloseable other = openedBy(loader);
            assertThatIOException().isThrownBy(() -> DiskTier.open(folder, 1 << 20));
            other.close();
        }
        DiskTier.open(folder, 1 << 20).close();
    }

    @Test
    @DisplayName("CACHE-5: an entry whose key makes no sense is removed at the start, and keeps no application from"
            + " starting")
    void aKeyThatMakesNoSenseIsRemoved() throws IOException {
        folder = parent.resolve(DiskStore.FOLDER);
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            for (String key : List.of("key", "1:2", "x:y:z", "9:9:short", "-5:-5:abc", "99999999999:1:a", "1:1:ab")) {
                Responses.put(tier, key, "text");
            }
        }
        ResponseCache.builder().disk(parent, 1 << 20).build().close();
        List<String> left = new ArrayList<>();
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            tier.forEach(left::add);
        }

        assertThat(left).containsExactly("1:1:ab");
    }

    /** A cache that another application in this process has made of the same folder. */
    private AutoCloseable openedBy(ClassLoader loader) throws Exception {
        Object builder = loader.loadClass(ResponseCache.class.getName())
                .getMethod("builder")
                .invoke(null);
        Class<?> type = builder.getClass();
        type.getMethod("disk", Path.class, long.class).invoke(builder, parent, 1L << 20);
        return (AutoCloseable) type.getMethod("build").invoke(builder);
    }

    private static URL[] classPath() throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    @Test
    @DisplayName(
            "CACHE-5: a folder of another process is refused by its id, and free once that is killed, with its entries")
    void aFolderHasOneOwnerAmongProcesses() throws Exception {
        Process other = other();
        try {
            assertThat(line(other)).isEqualTo("open");
            assertThatIOException()
                    .isThrownBy(() -> DiskTier.open(folder, 1 << 20))
                    .withMessageContaining("in use by process " + other.pid());
        } finally {
            end(other);
        }
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            assertThat(Responses.find(tier, "other")).isEqualTo("of the other process");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @DisplayName("CACHE-6: nobody else can read the folder and its files")
    void nobodyElseCanRead() throws IOException {
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            Responses.put(tier, "key", "text");
            tier.validated("key", Responses.head(Responses.etag("text"), 2));
            Responses.begin(tier, "key", "half");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files).hasSize(4).allSatisfy(file -> assertThat(
                                PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------"));
            }
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @DisplayName("CACHE-6: a folder that others can read is made private and goes on")
    void aFolderThatOthersCanReadIsMadePrivate() throws IOException {
        open("rwxr-xr-x");
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
            assertThat(Responses.find(tier, "key")).isEqualTo("text");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @DisplayName("CACHE-6: what is in a folder that others could write is not believed")
    void whatOthersCouldWriteIsNotBelieved() throws IOException {
        open("rwxrwx---");
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            assertThat(tier.find("key")).isNull();
            assertThat(Responses.files(folder, "entry")).isEmpty();
        }
    }

    private void open(String permissions) throws IOException {
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            Responses.put(tier, "key", "text");
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @DisplayName("CACHE-6: no file is opened through a link that somebody has left in the folder")
    void noLinkIsFollowed() throws IOException {
        open("rwxrwx---");
        Path victim = Files.writeString(parent.resolve("victim"), "precious");
        Path owner = folder.resolve(CacheFolderLock.NAME);
        Files.delete(owner);
        Files.createSymbolicLink(owner, victim);

        assertThatIOException()
                .isThrownBy(() -> DiskTier.open(folder, 1 << 20))
                .withMessageContaining(owner.toString());
        assertThatIOException().isThrownBy(() -> new PrivateFiles().open(owner));
        assertThat(victim).hasContent("precious");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @DisplayName("CACHE-5: a folder that holds another program's files is refused and stays as it is")
    void aForeignFolderStaysAsItIs() throws IOException {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path foreign = Files.writeString(folder.resolve("owner"), "somebody");

        assertThatIOException()
                .isThrownBy(() -> DiskTier.open(folder, 1 << 20))
                .withMessageContaining(folder + " holds files that are not a cache's");
        assertThat(foreign).hasContent("somebody");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwxrwxrwx");
        assertThat(folder.toFile().list()).containsExactly("owner");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @DisplayName("CACHE-6: a folder that is a link to another one is refused")
    void aLinkIsNoFolderOfTheCache() throws IOException {
        Path real = Files.createDirectory(parent.resolve("real"));
        Files.createSymbolicLink(folder, real);

        assertThatIOException()
                .isThrownBy(() -> DiskTier.open(folder, 1 << 20))
                .withMessageContaining(folder + " is not a folder");
        assertThat(real).isEmptyDirectory();
    }

    @Test
    void refusesWhatIsNoFolder() throws IOException {
        Files.writeString(folder, "a file");
        assertThatIOException()
                .isThrownBy(() -> DiskTier.open(folder, 1 << 20))
                .withMessageContaining(folder + " is not a folder");
        assertThatIOException()
                .isThrownBy(() -> DiskTier.open(folder.resolve("below"), 1 << 20))
                .withMessageContaining(folder.resolve("below").toString());
    }
}
