package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the fake programs are shell scripts")
final class TwoProcessesInstallTest {

    @TempDir
    Path temp;

    /** Installs with the tools of one folder into the cache of another, and prints where. */
    static final class Main {

        public static void main(String[] arguments) {
            NpmManifest manifest = new NpmManifest("some-package", new byte[0], new byte[0]);
            NodeTools tools = new FakeTools(Path.of(arguments[0])).real();
            System.out.println("started");
            System.out.println(new NpmInstall(manifest, Path.of(arguments[1]), tools, Duration.ofMinutes(1)).run());
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void installOnceWhenTheyStartAtOnce() throws Exception {
        Path runs = temp.resolve("runs");
        String cache = temp.resolve("cache").toString();
        Path gate = temp.resolve("gate");
        assertThat(new ProcessBuilder("mkfifo", gate.toString()).start().waitFor())
                .isZero();
        new FakeTools(temp)
                .node("v20.0.0")
                .script("npm", "echo run >> " + runs, "read go < " + gate, "exec mkdir node_modules");

        Process one = ChildJvm.start(Main.class, temp.toString(), cache);
        Process two = ChildJvm.start(Main.class, temp.toString(), cache);
        // Opened for both directions, a pipe does not wait.
        try (RandomAccessFile pipe = new RandomAccessFile(gate.toFile(), "rw");
                BufferedReader first = one.inputReader();
                BufferedReader second = two.inputReader()) {
            assertThat(first.readLine()).isEqualTo(second.readLine()).isEqualTo("started");
            // A second run of npm would be let through as well, and counted.
            pipe.writeBytes("go\ngo\n");

            assertThat(first.readLine()).isEqualTo(second.readLine()).isNotNull();
        } finally {
            one.destroyForcibly();
            two.destroyForcibly();
        }
        assertThat(runs).hasContent("run");
    }
}
