package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.NodeRequiredException;
import io.stowline.testkit.TestkitException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class NpmInstallTest {

    private static final NpmManifest MANIFEST = new NpmManifest("some-package", bytes("{}"), bytes("{\"lock\":1}"));

    @TempDir
    Path temp;

    Path cache;
    Path tools;
    final AtomicInteger runs = new AtomicInteger();

    @BeforeEach
    void makeFolders() throws IOException {
        cache = temp.resolve("cache");
        tools = Files.createDirectory(temp.resolve("tools"));
    }

    @Test
    void installsIntoTheFolderNamedByTheHashOfTheLock() throws IOException {
        Path folder = install(this::succeed).run();

        assertThat(folder).isEqualTo(cache.resolve("npm").resolve(MANIFEST.hash()));
        assertThat(folder.resolve("node_modules/index.js")).exists();
        assertThat(folder.resolve("package.json")).hasContent("{}");
        assertThat(folder.resolve("package-lock.json")).hasContent("{\"lock\":1}");
    }

    @Test
    void runsNpmWithoutScriptsInATemporarySibling() throws IOException {
        AtomicReference<ProcessBuilder> seen = new AtomicReference<>();

        Path folder = install(command -> {
                    seen.set(command);
                    return succeed(command);
                })
                .run();

        Path workFolder = seen.get().directory().toPath();
        assertThat(seen.get().command())
                .containsExactly(tools.resolve("npm").toString(), "ci", "--ignore-scripts", "--no-audit", "--no-fund");
        assertThat(workFolder).isNotEqualTo(folder).doesNotExist();
        assertThat(workFolder.getParent()).isEqualTo(folder.getParent());
    }

    @Test
    void leavesNothingBesideTheFolderButItsLock() throws IOException {
        install(this::succeed).run();

        assertThat(namesInCache()).containsExactlyInAnyOrder(MANIFEST.hash(), MANIFEST.hash() + ".lock");
    }

    @Test
    void runsNothingTheSecondTime() throws IOException {
        Path first = install(this::succeed).run();
        NodeTools none = new NodeTools(new Executables(List.of(), false), command -> {
            throw new IOException("nothing may be started");
        });

        Path second = new NpmInstall(MANIFEST, cache, none, Duration.ofMinutes(1)).run();

        assertThat(second).isEqualTo(first);
        assertThat(runs).hasValue(1);
    }

    @Test
    void keepsTheFoldersOfTwoLocksApart() throws IOException {
        NpmManifest other = new NpmManifest("some-package", bytes("{}"), bytes("{\"lock\":2}"));

        Path first = install(this::succeed).run();
        Path second =
                new NpmInstall(other, cache, FakeTools.withNpm(tools, this::succeed), Duration.ofMinutes(1)).run();

        assertThat(second).isNotEqualTo(first);
        assertThat(runs).hasValue(2);
    }

    @Test
    @Timeout(30)
    void installsOnceWhenTwoThreadsStartAtOnce() throws Exception {
        CompletableFuture<Thread> second = new CompletableFuture<>();
        CountDownLatch firstRuns = new CountDownLatch(1);
        NpmInstall install = install(command -> {
            firstRuns.countDown();
            awaitBlocked(second.join());
            return succeed(command);
        });

        CompletableFuture<Path> one = CompletableFuture.supplyAsync(install::run);
        assertThat(firstRuns.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Path> two = CompletableFuture.supplyAsync(() -> {
            second.complete(Thread.currentThread());
            return install.run();
        });

        assertThat(one.join()).isEqualTo(two.join()).isDirectory();
        assertThat(runs).hasValue(1);
    }

    @Test
    void startsAfreshAfterAnInstallThatDiedHalfWay() throws IOException {
        Path leftover = cache.resolve("npm").resolve(MANIFEST.hash() + ".part-1234");
        Files.createDirectories(leftover.resolve("node_modules/half"));
        Path foreign = Files.createDirectories(cache.resolve("npm/another-lock.part-1"));

        Path folder = install(this::succeed).run();

        assertThat(folder.resolve("node_modules/index.js")).exists();
        assertThat(leftover).doesNotExist();
        assertThat(foreign).exists();
    }

    @Test
    void repairsAFolderWhosePackagesWereDeleted() throws IOException {
        Path folder = install(this::succeed).run();
        TestkitFolders.delete(folder.resolve("node_modules"));

        install(this::succeed).run();

        assertThat(folder.resolve("node_modules/index.js")).exists();
        assertThat(runs).hasValue(2);
    }

    @Test
    @DisplayName("S11: a folder in which anything was changed, added or deleted is installed again")
    void repairsAFolderThatWasChanged() throws IOException {
        List<Tampering> tamperings = List.of(
                folder -> Files.writeString(folder.resolve("node_modules/index.js"), "evil()"),
                folder -> Files.writeString(folder.resolve("node_modules/more.js"), ""),
                folder -> Files.writeString(folder.resolve("package.json"), "{\"main\":\"evil.js\"}"),
                folder -> Files.delete(folder.resolve("node_modules/index.js")),
                folder -> Files.delete(folder.resolve(FolderSeal.FILE)),
                folder -> Files.writeString(folder.resolve(FolderSeal.FILE), "one line"));
        Path folder = install(this::succeed).run();
        for (int i = 0; i < tamperings.size(); i++) {
            tamperings.get(i).of(folder);

            install(this::succeed).run();

            assertThat(runs).hasValue(i + 2);
            assertThat(folder.resolve("node_modules/index.js")).hasContent("");
            assertThat(folder.resolve("node_modules/more.js")).doesNotExist();
            assertThat(folder.resolve("package.json")).hasContent("{}");
            assertThat(namesInCache()).containsExactlyInAnyOrder(MANIFEST.hash(), MANIFEST.hash() + ".lock");
        }
    }

    @Test
    @DisplayName("S11: an install that died half way and looks complete is installed again")
    void repairsAHalfInstalledFolder() throws IOException {
        Path folder = Files.createDirectories(cache.resolve("npm").resolve(MANIFEST.hash()));
        Files.createDirectories(folder.resolve("node_modules/half"));

        install(this::succeed).run();

        assertThat(runs).hasValue(1);
        assertThat(folder.resolve("node_modules/half")).doesNotExist();
    }

    @Test
    @DisplayName("S11: a copy of the folder with other times is as good")
    void acceptsACopy() throws IOException {
        Path folder = install(this::succeed).run();
        FileTime other = FileTime.from(Instant.parse("2024-02-29T12:00:00Z"));
        Files.setLastModifiedTime(folder.resolve("node_modules/index.js"), other);

        install(this::succeed).run();

        assertThat(runs).hasValue(1);
        assertThat(Files.getLastModifiedTime(folder.resolve("node_modules/index.js")))
                .isEqualTo(other);
        assertThat(new FolderSeal(folder).isUntouched()).isTrue();
    }

    @Test
    @DisplayName("S11: content that changed under the same size and time is found when anything else differs")
    void comparesContent() throws IOException {
        Path folder = install(this::succeed).run();
        Path changed = folder.resolve("package.json");
        FileTime before = Files.getLastModifiedTime(changed);
        Files.writeString(changed, "[]");
        Files.setLastModifiedTime(changed, before);
        Files.setLastModifiedTime(folder.resolve("node_modules/index.js"), FileTime.fromMillis(0));

        install(this::succeed).run();

        assertThat(runs).hasValue(2);
        assertThat(changed).hasContent("{}");
    }

    @Test
    @DisplayName("S11: the old folder stays until the new one is complete")
    void keepsTheOldFolderWhenNpmFails() throws IOException {
        Path folder = install(this::succeed).run();
        Files.writeString(folder.resolve("node_modules/index.js"), "changed");

        assertThatThrownBy(install(command -> print(command, FakeProcess.ended(1, "")))::run)
                .isInstanceOf(TestkitException.class);

        assertThat(folder.resolve("node_modules/index.js")).hasContent("changed");
    }

    @Test
    @DisplayName("S11: only this user enters the folders")
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the file system has no such modes")
    void foldersArePrivate() throws IOException {
        Path shared = Files.createDirectories(cache.resolve("npm"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));

        Path folder = install(this::succeed).run();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shared)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void showsTheEndOfNpmsOutputWhenItFails() throws IOException {
        NpmInstall failing = install(command -> {
            print(command, IntStream.range(0, 100).mapToObj(i -> "line " + i));
            return FakeProcess.ended(1, "");
        });

        assertThatThrownBy(failing::run)
                .isInstanceOf(TestkitException.class)
                .hasMessageContaining("npm ci of some-package failed with exit code 1")
                .hasMessageContaining(MANIFEST.hash() + ".log")
                .hasMessageContaining("line 60\n")
                .hasMessageEndingWith("line 99")
                .hasMessageNotContaining("line 59\n");
        assertThat(namesInCache()).containsExactlyInAnyOrder(MANIFEST.hash() + ".lock", MANIFEST.hash() + ".log");
    }

    @Test
    void triesAgainAfterAFailure() throws IOException {
        assertThatThrownBy(install(command -> print(command, FakeProcess.ended(1, "")))::run)
                .isInstanceOf(TestkitException.class);

        assertThat(install(this::succeed).run().resolve("node_modules")).isDirectory();
    }

    @Test
    void refusesAnNpmThatSucceedsWithoutInstalling() throws IOException {
        assertThatThrownBy(install(command -> print(command, FakeProcess.ended(0, "")))::run)
                .isInstanceOf(TestkitException.class)
                .hasMessageContaining("left no node_modules");
    }

    @Test
    void killsAnNpmThatTakesTooLong() throws IOException {
        FakeProcess hanging = FakeProcess.running("");
        NpmInstall install = new NpmInstall(
                MANIFEST, cache, FakeTools.withNpm(tools, command -> print(command, hanging)), Duration.ofSeconds(7));

        assertThatThrownBy(install::run)
                .isInstanceOf(TestkitException.class)
                .hasMessageContaining("did not end within 7 s");
        assertThat(hanging.signals()).containsExactly("kill");
    }

    @Test
    void saysWhichProgramIsMissing() {
        NodeTools none = new NodeTools(new Executables(List.of(), false), Launcher.REAL);

        assertThatThrownBy(new NpmInstall(MANIFEST, cache, none, Duration.ofMinutes(1))::run)
                .isInstanceOf(NodeRequiredException.class);
    }

    @Test
    void namesTheFolderThatCannotBeWritten() throws IOException {
        Files.writeString(temp.resolve("cache"), "a file where the cache should be");

        assertThatThrownBy(install(this::succeed)::run)
                .isInstanceOf(TestkitException.class)
                .hasMessageContaining("cannot install some-package into " + cache.resolve("npm"));
    }

    private NpmInstall install(Launcher npm) throws IOException {
        return new NpmInstall(MANIFEST, cache, FakeTools.withNpm(tools, npm), Duration.ofMinutes(1));
    }

    private Process succeed(ProcessBuilder command) throws IOException {
        runs.incrementAndGet();
        Path modules = Files.createDirectory(command.directory().toPath().resolve("node_modules"));
        Files.writeString(modules.resolve("index.js"), "");
        return print(command, FakeProcess.ended(0, ""));
    }

    private static Process print(ProcessBuilder command, Process process) throws IOException {
        print(command, Stream.of("done"));
        return process;
    }

    private static void print(ProcessBuilder command, Stream<String> lines) throws IOException {
        Files.write(command.redirectOutput().file().toPath(), lines.toList());
    }

    private static void awaitBlocked(Thread thread) {
        while (thread.getState() != Thread.State.BLOCKED) {
            LockSupport.parkNanos(100_000);
        }
    }

    /** A change of a folder by an accident or an attacker. */
    @FunctionalInterface
    private interface Tampering {
        void of(Path folder) throws IOException;
    }

    private List<String> namesInCache() throws IOException {
        try (Stream<Path> files = Files.list(cache.resolve("npm"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
