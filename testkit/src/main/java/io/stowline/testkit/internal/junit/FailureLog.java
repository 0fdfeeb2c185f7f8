package io.stowline.testkit.internal.junit;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RecordedExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A writer of the logs of an emulator and of a proxy, into files that are named after the test that failed. */
public final class FailureLog {

    public static final String FOLDER_PARAMETER = "stowline.azurite.logs";

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final Pattern INVOCATION = Pattern.compile("#(\\d+)]$");

    private FailureLog() {}

    public static void write(ExtensionContext context, Azurite azurite) {
        write(context, "Azurite", "", azurite.log());
    }

    public static void write(ExtensionContext context, FaultProxy proxy) {
        String recorded =
                proxy.recorded().stream().map(RecordedExchange::toString).collect(Collectors.joining("\n"));
        write(context, "the fault proxy", ".proxy", proxy + "\n" + proxy.explain() + "\n" + recorded + "\n");
    }

    private static void write(ExtensionContext context, String source, String suffix, String log) {
        String test = name(context);
        Path file = folder(context).resolve(test + suffix + ".log");
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, log);
            LOG.error("{} failed; the log of {} is in {}", test, source, file);
            context.publishReportEntry("azurite" + suffix + ".log", file.toString());
        } catch (IOException e) {
            LOG.error("{} failed, and the log of {} could not be written to {}", test, source, file, e);
        }
    }

    private static Path folder(ExtensionContext context) {
        return context.getConfigurationParameter(FOLDER_PARAMETER)
                .map(Path::of)
                .orElseGet(() -> buildFolder().resolve("azurite-logs"))
                .toAbsolutePath();
    }

    private static Path buildFolder() {
        Path gradle = Path.of("build");
        Path maven = Path.of("target");
        return Files.isDirectory(gradle) && !Files.isDirectory(maven) ? gradle : maven;
    }

    private static String name(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        String test = type.getName().substring(type.getPackageName().length()).replace('$', '.');
        Matcher invocation = INVOCATION.matcher(context.getUniqueId());
        return (test.startsWith(".") ? test.substring(1) : test)
                + "." + context.getRequiredTestMethod().getName()
                + (invocation.find() ? "-" + invocation.group(1) : "");
    }
}
