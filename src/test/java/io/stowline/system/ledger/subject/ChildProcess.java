package io.stowline.system.ledger.subject;

import io.stowline.system.ForkedJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** A Java process that a seed starts and kills: a small one, with the class path of its parent, that does not outlive it. */
public final class ChildProcess {

    private static final List<String> SMALL = List.of("-Xmx128m", "-XX:+UseSerialGC");

    private ChildProcess() {}

    /** Prepares the process that runs a main class with these arguments. */
    public static ProcessBuilder of(Class<?> main, List<String> arguments) {
        return ForkedJvm.of(main, SMALL, arguments.toArray(String[]::new));
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
