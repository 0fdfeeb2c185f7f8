package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.NodeRequiredException;
import java.io.IOException;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the fake programs are shell scripts")
final class NodeToolsTest {

    @TempDir
    Path temp;

    FakeTools tools;

    @BeforeEach
    void makeTools() {
        tools = new FakeTools(temp);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v20.0.0", "v20.20.2", "v24.1.0-nightly20260101", "v100.1.2"})
    void acceptsNode20AndNewer(String version) throws IOException {
        tools.node(version).script("npm");

        assertThat(tools.real().node()).isEqualTo(temp.resolve("node"));
        assertThat(tools.real().npm()).isEqualTo(temp.resolve("npm"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v19.9.0", "v18.20.4", "v0.10.48", "v2.0.0"})
    void refusesOlderNode(String version) throws IOException {
        tools.node(version);

        assertOneLine(tools.real()::node)
                .hasMessageContaining(temp.resolve("node") + " is version " + version.substring(1));
    }

    @Test
    void saysThatNodeIsMissing() {
        assertOneLine(tools.real()::node).hasMessageContaining("no 'node' was found on the PATH");
    }

    @Test
    void saysThatNpmIsMissing() throws IOException {
        tools.node("v22.1.0");

        assertOneLine(tools.real()::npm).hasMessageContaining("no 'npm' was found on the PATH");
    }

    @Test
    void looksAtNodeBeforeNpm() throws IOException {
        tools.node("v16.0.0").script("npm");

        assertOneLine(tools.real()::npm).hasMessageContaining("is version 16.0.0");
    }

    @Test
    void showsAResponseThatIsNoVersion() throws IOException {
        tools.script("node", "echo cannot load libfoo", "echo second line");

        assertOneLine(tools.real()::node).hasMessageContaining("answered 'cannot load libfoo'");
    }

    @Test
    void bearsANodeThatNeverResponds() throws IOException {
        tools.node("v20.0.0");
        FakeProcess hanging = FakeProcess.running("");

        assertOneLine(new NodeTools(tools.executables(), command -> hanging)::node)
                .hasMessageContaining("answered 'nothing in 30 s'");
        assertThat(hanging.signals()).containsExactly("kill");
    }

    @Test
    void bearsANodeThatCannotBeStarted() throws IOException {
        tools.node("v20.0.0");
        Launcher refusing = command -> {
            throw new IOException("bad format");
        };

        assertOneLine(new NodeTools(tools.executables(), refusing)::node)
                .hasMessageContaining("could not be started (bad format)");
    }

    private static AbstractThrowableAssert<?, ?> assertOneLine(ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOf(NodeRequiredException.class)
                .hasMessageStartingWith("Node.js 20 or newer with npm is required, but ")
                .hasMessageContaining("Install it")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }
}
