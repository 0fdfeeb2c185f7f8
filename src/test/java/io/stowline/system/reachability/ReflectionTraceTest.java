package io.stowline.system.reachability;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ForkedJvm;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All that the library and the libraries below it find by reflection while a program runs, with computed names, is registered for native images: in
 * the jars of this build, in their own jars, or by the application.
 */
class ReflectionTraceTest {

    private static final String TLS = "the TLS of the JDK in place of OpenSSL's, whose library is not in an image";

    /** Beginnings of the names of callers that go another way where a class or a member is not found, with that way. */
    private static final Map<String, String> FALLBACKS = Map.of(
            "io.netty.channel.DefaultChannelId", "a random number in place of the process id",
            "io.netty.util.concurrent.ConcurrentSkipListIntObjMultimap", "a fence of its own",
            "io.netty.handler.ssl.OpenSsl", TLS,
            "io.netty.internal.tcnative.Library", TLS,
            "io.netty.util.internal.NativeLibraryLoader", TLS,
            "io.netty.util.internal.ClassInitializerUtil", "classes are loaded later",
            "io.netty.util.internal.Cleaner", "found when the image is built, or the next way to free a buffer",
            "io.netty.util.internal.PlatformDependent0$", "each lookup ends as one that the JVM does not support");

    /** The application's own types: its annotation processor, its framework or its own file registers them. */
    private static final String APPLICATION = TracedProgram.class.getName();

    /** The provider of SLF4J on this class path. */
    private static final String LOGGING = "ch.qos.logback.";

    @TempDir
    private Path folder;

    private record Access(String caller, boolean literal, String kind, String name, String member) {

        static Access of(String line) {
            String[] parts = line.split("\t", -1);
            return new Access(parts[0], parts[1].equals("literal"), parts[2], parts[3], parts[4]);
        }

        /** Netty only asks for the marks of a handler's methods. */
        String neededKind() {
            return caller.startsWith("io.netty.channel.ChannelHandlerMask") ? "members" : kind;
        }
    }

    private List<Access> traced(Class<?> main, String... options) throws IOException, InterruptedException {
        Path agent = folder.resolve("agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), ReflectionAgent.class.getName());
        try (OutputStream file = Files.newOutputStream(agent)) {
            new JarOutputStream(file, manifest).close();
        }
        Path trace = folder.resolve("trace");
        Path log = folder.resolve("log");
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-javaagent:" + agent + "=" + trace);
        Process program = ForkedJvm.of(main, all, folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(program.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(program.exitValue()).as(Files.readString(log)).isZero();
        return Files.readAllLines(trace).stream()
                .map(Access::of)
                .filter(access -> !access.literal())
                .toList();
    }

    @Test
    void accessesOfARunningProgramAreRegistered() throws Exception {
        List<Access> accesses = traced(TracedProgram.class, "-Dorg.graalvm.nativeimage.imagecode=agent");
        ImageMetadata registered = ImageMetadata.ofClassPath(ForkedJvm.classPath());

        assertThat(accesses)
                .extracting(Access::caller)
                .contains(
                        "com.github.benmanes.caffeine.cache.NodeFactory",
                        "com.azure.core.http.rest.RestProxy",
                        "io.netty.channel.ChannelHandlerMask$2",
                        "io.stowline.projection.internal.type.TypeComponents$RecordComponents");
        assertThat(accesses)
                .filteredOn(access -> FALLBACKS.keySet().stream().noneMatch(access.caller()::startsWith))
                .filteredOn(access -> !access.name().startsWith(APPLICATION))
                .filteredOn(access -> !access.caller().startsWith(LOGGING))
                .filteredOn(access -> !registered.covers(access.neededKind(), access.name(), access.member()))
                .isEmpty();
    }

    /** Spring's own calls differ in an image, where beans are made by generated code. */
    @Test
    void accessesOfASpringApplicationHaveHints() throws Exception {
        List<Access> accesses = traced(TracedSpringProgram.class).stream()
                .filter(access -> access.caller().startsWith("io.stowline.")
                        || (access.caller().startsWith("com.fasterxml.")
                                && access.name().startsWith("io.stowline.")))
                .toList();
        ImageMetadata registered =
                ImageMetadata.ofClassPath(folder.resolve("hints") + File.pathSeparator + ForkedJvm.classPath());

        assertThat(accesses)
                .extracting(Access::name)
                .contains(
                        TracedSpringProgram.Runner.class.getName(),
                        TracedSpringProgram.ToCode.class.getName(),
                        TracedSpringProgram.Members.class.getName(),
                        TracedSpringProgram.Line.class.getName());
        assertThat(accesses)
                .filteredOn(access -> !registered.covers(access.kind(), access.name(), access.member()))
                .isEmpty();
    }
}
