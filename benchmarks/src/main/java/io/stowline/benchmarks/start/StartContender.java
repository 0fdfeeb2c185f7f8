package io.stowline.benchmarks.start;

import io.stowline.benchmarks.machine.CpuPin;
import io.stowline.benchmarks.side.work.Account;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A way to insert in a fresh process.
 *
 * @param title its name in the report
 * @param work what {@link FirstInsert} does
 * @param flags flags of its JVM
 * @param classPath its class path
 */
record StartContender(String title, String work, List<String> flags, String classPath) {

    /** Libraries of this module that a client does not need, each of which would add to the start of both. */
    private static final Pattern OTHERS =
            Pattern.compile(".*(logback|micrometer|context-propagation|jmh|jopt|stowline-testkit).*");

    private static final int FIRST_CACHE = 25;

    private static final String NETTY = "netty-";

    private static final Pattern LOADED = Pattern.compile("\\[class,load *] ([^\\s/]+)\\S* source: (.*)");

    /**
     * A class that a process has loaded.
     *
     * @param name its full name
     * @param source the file or module that it is from; of a generated class that of its host
     */
    record LoadedClass(String name, String source) {

        /** Returns whether the JVM has made the class for a lambda, a method handle or a concatenation. */
        boolean isGenerated() {
            return name.contains("$$Lambda") || name.contains("LambdaForm") || name.contains("BoundMethodHandle");
        }

        boolean isShared() {
            return source.startsWith("shared objects file");
        }
    }

    /** Returns a contender with this process's class path, without what no client needs. */
    static StartContender of(String title, String work, String... flags) {
        return new StartContender(
                title, work, List.of(flags), asApplicationsHaveIt(System.getProperty("java.class.path")));
    }

    /**
     * Netty's jars are last, as Maven puts them for either client: they have an index, which JDKs before 21 read for each class that lies behind
     * them.
     */
    static String asApplicationsHaveIt(String classPath) {
        List<String> needed = Arrays.stream(classPath.split(Pattern.quote(File.pathSeparator)))
                .filter(entry -> !OTHERS.matcher(name(entry)).matches())
                .toList();
        return Stream.concat(
                        needed.stream().filter(entry -> !name(entry).startsWith(NETTY)),
                        needed.stream().filter(entry -> name(entry).startsWith(NETTY)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String name(String entry) {
        return Path.of(entry).getFileName().toString();
    }

    /** Returns the same with an archive of its classes, from JDK 25 on with a cache of linked ones. */
    StartContender archived(Account account, Path archive) throws IOException, InterruptedException {
        List<String> more = new ArrayList<>(flags);
        if (Runtime.version().feature() >= FIRST_CACHE) {
            record("-XX:AOTCacheOutput=" + archive, account);
            more.add("-XX:AOTCache=" + archive);
            return new StartContender(title + ", AOT cache", work, more, classPath);
        }
        Path list = Path.of(archive + ".lst");
        record("-XX:DumpLoadedClassList=" + list, account);
        // Such a class is left out as one of a signed jar, and JDK 17 crashes over its lambdas
        Files.write(
                list,
                Files.readAllLines(list).stream()
                        .filter(line -> !line.startsWith("@lambda-proxy com/azure"))
                        .toList());
        dump(list, archive);
        more.add("-XX:SharedArchiveFile=" + archive);
        return new StartContender(title + ", archive", work, more, classPath);
    }

    private void record(String flag, Account account) throws IOException, InterruptedException {
        Process process = process(account, List.of(flag));
        try {
            awaitInsert(process);
        } finally {
            end(process);
        }
    }

    private void dump(Path list, Path archive) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xshare:dump",
                        "-Xlog:disable",
                        "-XX:SharedClassListFile=" + list,
                        "-XX:SharedArchiveFile=" + archive,
                        "-cp",
                        classPath)
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("the archive of " + title + " was not made");
        }
    }

    /** Starts a process, and returns its figures when it has inserted. */
    StartFigures start(Account account) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Process process = process(account, List.of());
        try {
            awaitInsert(process);
            return StartFigures.of(process.pid(), (System.nanoTime() - began) / 1e6);
        } finally {
            end(process);
        }
    }

    /** Returns the classes that a further process loads. */
    List<LoadedClass> classes(Account account) throws IOException, InterruptedException {
        Path log = Files.createTempFile("stowline-classes", ".log");
        try {
            Process process = process(account, List.of("-Xlog:class+load:file=" + log + ":tags:filecount=0"));
            try {
                awaitInsert(process);
            } finally {
                end(process);
            }
            return loaded(Files.readAllLines(log));
        } finally {
            Files.deleteIfExists(log);
        }
    }

    static List<LoadedClass> loaded(List<String> log) {
        List<LoadedClass> classes = new ArrayList<>();
        for (String line : log) {
            var fields = LOADED.matcher(line);
            if (fields.matches()) {
                classes.add(new LoadedClass(fields.group(1), fields.group(2)));
            }
        }
        return classes;
    }

    private Process process(Account account, List<String> more) throws IOException {
        List<String> all = new ArrayList<>(flags);
        all.addAll(more);
        all.add("-Dslf4j.internal.verbosity=ERROR");
        return new CpuPin(0)
                .java(all, classPath, FirstInsert.class, List.of(work, connectionString(account)))
                .start();
    }

    private static String connectionString(Account account) {
        return "DefaultEndpointsProtocol=http;AccountName=" + account.name() + ";AccountKey=" + account.key()
                + ";TableEndpoint=" + account.endpoint();
    }

    private void awaitInsert(Process process) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
        String line;
        do {
            line = lines.readLine();
        } while (line != null && !line.equals("inserted"));
        if (line == null) {
            throw new IOException("the process of " + title + " ended before it had inserted");
        }
    }

    private static void end(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
