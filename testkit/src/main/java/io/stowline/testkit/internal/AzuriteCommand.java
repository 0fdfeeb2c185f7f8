package io.stowline.testkit.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The command line and the environment of an emulator.
 *
 * @param settings the settings of the start
 * @param node the program
 * @param preloads the scripts that run before Azurite is loaded
 * @param bootstrap the script that starts Azurite and ends it with its parent
 * @param packages the folder that holds {@code node_modules}
 */
public record AzuriteCommand(AzuriteSettings settings, Path node, List<Path> preloads, Path bootstrap, Path packages) {

    /** Variables that would change the conduct of the emulator, or lead its traffic off the loopback interface. */
    private static final Set<String> DROPPED = Set.of(
            "NODE_OPTIONS",
            "NODE_PATH",
            "NODE_ENV",
            "AZURITE_ACCOUNTS",
            "AZURITE_DB",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "NO_PROXY");

    /**
     * Prepares a start from the given installation.
     *
     * @param tools where {@code node} is found
     * @param cache the cache folder
     * @param packages the folder that holds {@code node_modules}
     * @param anchor the class beside which the scripts lie
     * @throws IOException if a script cannot be written
     */
    public static AzuriteCommand of(
            AzuriteSettings settings, NodeTools tools, Path cache, Path packages, Class<?> anchor) throws IOException {
        List<Path> preloads = List.of(
                CachedScript.of(cache, anchor, "azurite/unused-modules.js"),
                CachedScript.of(cache, anchor, "azurite/entity-lookup.js"));
        Path bootstrap = CachedScript.of(cache, anchor, "azurite/parent-bound.js");
        return new AzuriteCommand(settings, tools.node(), preloads, bootstrap, packages);
    }

    /**
     * Returns a process that is not started yet.
     *
     * @return a new builder at each call
     */
    public ProcessBuilder prepare() {
        ProcessBuilder process =
                new ProcessBuilder(arguments()).directory(packages.toFile()).redirectErrorStream(true);
        adapt(process.environment());
        return process;
    }

    void adapt(Map<String, String> environment) {
        environment.keySet().removeIf(name -> DROPPED.contains(name.toUpperCase(Locale.ROOT)));
        environment.put(
                "AZURITE_ACCOUNTS",
                settings.accounts().entrySet().stream()
                        .map(account -> account.getKey() + ":" + account.getValue())
                        .collect(Collectors.joining(";")));
    }

    private List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(node.toString()));
        preloads.forEach(script -> arguments.addAll(List.of("--require", script.toString())));
        arguments.addAll(List.of(
                bootstrap.toString(),
                packages.resolve("node_modules/azurite/dist/src/azurite.js").toString(),
                "--disableTelemetry",
                "--skipApiVersionCheck",
                "--inMemoryPersistence"));
        ServicePorts ports = settings.ports();
        arguments.addAll(service("blob", ports.blob()));
        arguments.addAll(service("queue", ports.queue()));
        arguments.addAll(service("table", ports.table()));
        if (!settings.accessLog()) {
            arguments.add("--silent");
        }
        Path debugLog = settings.debugLog();
        if (debugLog != null) {
            arguments.addAll(List.of("--debug", debugLog.toAbsolutePath().toString()));
        }
        return arguments;
    }

    private List<String> service(String name, int port) {
        return List.of(
                "--" + name + "Host",
                "127.0.0.1",
                "--" + name + "Port",
                Integer.toString(port),
                "--" + name + "KeepAliveTimeout",
                Long.toString(settings.keepAliveTimeout().toSeconds()));
    }
}
