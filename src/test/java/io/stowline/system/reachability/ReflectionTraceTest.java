package io.stowline.system.reachability;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ForkedJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Callers that go another way where a class or a member is not found, with that way. */
    private static final Map<String, String> FALLBACKS = Map.of(
            "io.netty.channel.DefaultChannelId", "a random number in place of the process id",
            "io.netty.util.concurrent.ConcurrentSkipListIntObjMultimap", "a fence of its own",
            "io.netty.util.internal.ClassInitializerUtil", "classes are loaded later",
            "io.netty.util.internal.PlatformDependent0$5", "the limit of direct memory by the options of the JVM",
            "io.netty.util.internal.PlatformDependent0$10", "no absolute bulk access of buffers",
            "io.netty.util.internal.PlatformDependent0$11", "no absolute bulk access of buffers",
            "io.netty.util.internal.PlatformDependent0$13", "bytes that are drawn one by one");

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

    private List<Access> traced() throws IOException, InterruptedException {
        Path agent = folder.resolve("agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), ReflectionAgent.class.getName());
        try (OutputStream file = Files.newOutputStream(agent)) {
            new JarOutputStream(file, manifest).close();
        }
        Path trace = folder.resolve("trace");
        Path log = folder.resolve("log");
        Process program = ForkedJvm.of(
                        TracedProgram.class,
                        List.of("-Dorg.graalvm.nativeimage.imagecode=agent", "-javaagent:" + agent + "=" + trace),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(program.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(program.exitValue()).as(Files.readString(log)).isZero();
        return Files.readAllLines(trace).stream().map(Access::of).toList();
    }

    @Test
    void whatARunningProgramReflectsOnIsRegistered() throws Exception {
        List<Access> accesses = traced();
        ImageMetadata registered = ImageMetadata.ofClassPath(ForkedJvm.classPath());

        assertThat(accesses)
                .extracting(Access::caller)
                .contains(
                        "com.github.benmanes.caffeine.cache.NodeFactory",
                        "com.azure.core.http.rest.RestProxy",
                        "io.netty.channel.ChannelHandlerMask$2",
                        "io.stowline.projection.internal.type.TypeComponents$RecordComponents");
        assertThat(accesses)
                .filteredOn(access -> !access.literal())
                .filteredOn(access -> !FALLBACKS.containsKey(access.caller()))
                .filteredOn(access -> !access.name().startsWith(APPLICATION))
                .filteredOn(access -> !access.caller().startsWith(LOGGING))
                .filteredOn(access -> !registered.covers(access.neededKind(), access.name(), access.member()))
                .isEmpty();
    }
}
