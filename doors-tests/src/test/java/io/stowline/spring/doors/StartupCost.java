package io.stowline.spring.doors;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * A program, not a test: the time from the start of the JVM to the end of the start of a minimal application, and the number of its beans,
 * with the starter and without it, in alternation and each time in a new JVM. Its class path is that of the tests.
 */
final class StartupCost {

    private static final int ROUNDS = 10;

    private StartupCost() {}

    /** The minimal application; it prints the time and the number of its beans. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        public static void main(String[] args) {
            try (ConfigurableApplicationContext context = SpringApplication.run(Application.class, args)) {
                long time = ManagementFactory.getRuntimeMXBean().getUptime();
                System.out.println("started " + time + " " + context.getBeanDefinitionCount());
            }
        }
    }

    private record Start(long millis, long beans) {}

    public static void main(String[] args) throws IOException {
        String with = System.getProperty("java.class.path");
        String without = Arrays.stream(with.split(File.pathSeparator))
                .filter(
                        entry -> entry.matches(
                                ".*/(test-classes|ttest|launch)/?|.*/(spring-(boot|boot-autoconfigure|core|beans|context|aop|expression)-\\d.*"
                                        + "|micrometer-(observation|commons)-\\d.*|commons-logging.*|jspecify.*|slf4j-.*)\\.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        List<Start> starter = new ArrayList<>();
        List<Start> plain = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            plain.add(start(without));
            starter.add(start(with));
        }
        print("without the starter", plain);
        print("with the starter", starter);
    }

    private static void print(String what, List<Start> starts) {
        long[] times = starts.stream().mapToLong(Start::millis).sorted().toArray();
        System.out.printf(
                "%s: median %d ms, %d to %d ms, %d beans%n",
                what,
                (times[ROUNDS / 2 - 1] + times[ROUNDS / 2]) / 2,
                times[0],
                times[ROUNDS - 1],
                starts.get(0).beans());
    }

    private static Start start(String classPath) throws IOException {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        classPath,
                        Application.class.getName(),
                        "--stowline.connection-string=UseDevelopmentStorage=true")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String[] line = output.lines()
                .filter(text -> text.startsWith("started "))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(output))
                .split(" ", -1);
        return new Start(Long.parseLong(line[1]), Long.parseLong(line[2]));
    }
}
