package io.stowline.spring.doors;

import java.util.ArrayList;
import java.util.List;

/** Another process with the class path of the tests, which a test stops or kills. */
final class OtherProcess {

    private OtherProcess() {}

    /** Returns a process that runs a main class in a small heap. */
    static ProcessBuilder of(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                DocumentedApplication.classPath(),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }
}
