package io.stowline.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM with the class path of this one, for a program that a test starts and may kill. */
public final class ForkedJvm {

    /**
     * Options of a process that spends nearly all its time on its start. The JVM of the tests has verified the same
     * classes.
     */
    private static final List<String> SHORT_LIVED = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private ForkedJvm() {}

    /**
     * Prepares the process of a program.
     *
     * @param program the class with the main method
     * @param options of the JVM
     * @param arguments of the program
     */
    public static ProcessBuilder of(Class<?> program, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SHORT_LIVED);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), program.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /** Returns the class path of this JVM. Surefire hides the real class path behind a jar with a manifest. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
