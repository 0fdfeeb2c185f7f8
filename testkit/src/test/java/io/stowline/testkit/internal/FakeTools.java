package io.stowline.testkit.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A folder of a search path with executables of the test's own. */
final class FakeTools {

    private final Path folder;

    FakeTools(Path folder) {
        this.folder = folder;
    }

    FakeTools script(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make executable: " + file);
        }
        return this;
    }

    FakeTools node(String version) throws IOException {
        return script("node", "echo " + version);
    }

    Executables executables() {
        return new Executables(List.of(folder), false);
    }

    NodeTools real() {
        return new NodeTools(executables(), Launcher.REAL);
    }

    /** The tools, with a good node and whatever npm does when it is started. */
    static NodeTools withNpm(Path folder, Launcher npm) throws IOException {
        FakeTools tools = new FakeTools(folder).script("node").script("npm");
        Launcher launcher = command ->
                command.command().contains("--version") ? FakeProcess.ended(0, "v20.20.2\n") : npm.start(command);
        return new NodeTools(tools.executables(), launcher);
    }
}
