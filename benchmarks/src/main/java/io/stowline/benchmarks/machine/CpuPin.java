package io.stowline.benchmarks.machine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A processor core that a process is bound to, where the system has {@code taskset}. */
public final class CpuPin {

    private final int number;

    /** Pins to a core by its number. */
    public CpuPin(int number) {
        this.number = number;
    }

    /** Returns whether processes can be bound to two cores. */
    public static boolean canBeChosen() {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            return false;
        }
        try {
            Process probe = new ProcessBuilder("taskset", "-c", "1", "true").start();
            return probe.waitFor(10, TimeUnit.SECONDS) && probe.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns a Java program with this one's class path. */
    public ProcessBuilder java(List<String> flags, Class<?> main, List<String> args) {
        return java(flags, System.getProperty("java.class.path"), main, args);
    }

    /** Returns a Java program. */
    public ProcessBuilder java(List<String> flags, String classPath, Class<?> main, List<String> args) {
        List<String> command = new ArrayList<>();
        if (canBeChosen()) {
            command.addAll(List.of("taskset", "-c", Integer.toString(number)));
        }
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(args);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }
}
