package io.stowline.testkit.internal;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.TestkitException;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The test kit as a command: {@code java -jar stowline-testkit-<version>-command.jar azurite} runs an emulator until it is interrupted. */
public final class TestkitCommand {

    private static final String USAGE = """
        usage: java -jar stowline-testkit-<version>-command.jar azurite [options]

        Installs Azurite if need be, and runs it on 127.0.0.1 until the command is interrupted.

          --blob-port N    the port of the blob service (10000; 0 is a free one)
          --queue-port N   the port of the queue service (10001)
          --table-port N   the port of the table service (10002)
          --account N:KEY  a further account, its key in Base64; may be repeated
          --help           prints this text
        """;

    private final Map<String, Integer> ports =
            new HashMap<>(Map.of("--blob-port", 10_000, "--queue-port", 10_001, "--table-port", 10_002));
    private final Azurite.Builder emulator = Azurite.builder();

    private TestkitCommand() {}

    /**
     * Runs the command.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) throws InterruptedException {
        // Without a logger SLF4J prints three lines about it.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(run(List.of(arguments), System.out, System.err, TestkitCommand::untilTheEnd));
    }

    /** Returns the exit status: 0, 1 for an emulator that does not start, 2 for a wrong command line. */
    static int run(List<String> arguments, PrintStream out, PrintStream err, RunningEmulator running)
            throws InterruptedException {
        Optional<TestkitCommand> command;
        try {
            command = parsed(arguments);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.print(USAGE);
            return 2;
        }
        if (command.isEmpty()) {
            out.print(USAGE);
            return 0;
        }
        try (Azurite azurite = command.get().emulator.start()) {
            out.println("blob   " + azurite.blobEndpoint());
            out.println("queue  " + azurite.queueEndpoint());
            out.println("table  " + azurite.tableEndpoint());
            out.println(azurite.connectionString());
            out.flush();
            running.await(azurite);
            return 0;
        } catch (TestkitException e) {
            err.println(e.getMessage());
            return 1;
        }
    }

    /** The wait while the emulator runs. */
    @FunctionalInterface
    interface RunningEmulator {
        void await(Azurite azurite) throws InterruptedException;
    }

    /** The emulator ends with this JVM, whatever ends it. */
    private static void untilTheEnd(Azurite azurite) throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** Empty for a question for help. */
    private static Optional<TestkitCommand> parsed(List<String> arguments) {
        Deque<String> left = new ArrayDeque<>(arguments);
        if (left.contains("--help") || left.contains("-h")) {
            return Optional.empty();
        }
        String verb = left.poll();
        if (!"azurite".equals(verb)) {
            throw new IllegalArgumentException(verb == null ? "a command is missing" : "unknown command: " + verb);
        }
        TestkitCommand command = new TestkitCommand();
        while (!left.isEmpty()) {
            command.option(left.poll(), left);
        }
        command.emulator.ports(command.port("--blob-port"), command.port("--queue-port"), command.port("--table-port"));
        return Optional.of(command);
    }

    private int port(String option) {
        return ports.getOrDefault(option, 0);
    }

    private void option(String name, Deque<String> left) {
        if (ports.containsKey(name)) {
            ports.put(name, number(name, value(name, left)));
        } else if (name.equals("--account")) {
            String[] account = value(name, left).split(":", 2);
            if (account.length != 2) {
                throw new IllegalArgumentException("--account takes a name and a key: name:key");
            }
            emulator.account(account[0], account[1]);
        } else {
            throw new IllegalArgumentException("unknown option: " + name);
        }
    }

    private static String value(String name, Deque<String> left) {
        String value = left.poll();
        if (value == null) {
            throw new IllegalArgumentException(name + " needs a value");
        }
        return value;
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " takes a number, not " + value, e);
        }
    }
}
