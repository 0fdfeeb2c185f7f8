package io.stowline.benchmarks.correctness.subject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java process that a seed starts and kills: a small one, with the class path of its parent, that does not outlive it. */
public final class ChildProcess {

    private ChildProcess() {}

    /** Returns the command that runs a main class with these arguments. */
    public static List<String> command(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(arguments);
        return command;
    }

    /** Ends this process once its parent has ended: then the input ends, to which nothing is ever written. */
    public static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            Thread.onSpinWait();
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } finally {
                        Runtime.getRuntime().halt(1);
                    }
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
