package io.stowline.testkit.internal;

import io.stowline.testkit.NodeRequiredException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A finder of {@code node} and {@code npm}, which refuses a Node.js that is too old.
 *
 * @param executables where to look
 * @param launcher how to start what was found
 */
public record NodeTools(Executables executables, Launcher launcher) {

    private static final Pattern VERSION = Pattern.compile("v(\\d{1,4})\\.\\S*");
    private static final long VERSION_TIMEOUT_SECONDS = 30;

    /**
     * Returns the tools of this machine.
     *
     * @return a lookup over the PATH of this process
     */
    public static NodeTools ofThisProcess() {
        return new NodeTools(Executables.ofThisProcess(), Launcher.REAL);
    }

    /**
     * Finds {@code node} and gets its version.
     *
     * @return the program
     * @throws NodeRequiredException if there is none, or it is too old
     */
    public Path node() {
        Path node = executables
                .find("node")
                .orElseThrow(() -> new NodeRequiredException("no 'node' was found on the PATH"));
        String response = version(node);
        Matcher version = VERSION.matcher(response);
        if (!version.matches()) {
            throw new NodeRequiredException(node + " answered '" + response + "' to --version");
        }
        if (Integer.parseInt(version.group(1)) < NodeRequiredException.OLDEST) {
            throw new NodeRequiredException(node + " is version " + response.substring(1));
        }
        return node;
    }

    /**
     * Finds {@code npm} beside a good {@code node}.
     *
     * @return the program
     * @throws NodeRequiredException if either is missing, or Node.js is too old
     */
    public Path npm() {
        Path node = node();
        return executables
                .find("npm")
                .orElseThrow(() -> new NodeRequiredException("no 'npm' was found on the PATH (node is " + node + ")"));
    }

    private String version(Path node) {
        try {
            Process process =
                    launcher.start(new ProcessBuilder(node.toString(), "--version").redirectErrorStream(true));
            process.getOutputStream().close();
            if (!process.waitFor(VERSION_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "nothing in " + VERSION_TIMEOUT_SECONDS + " s";
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return output.lines().findFirst().orElse("").strip();
        } catch (InterruptedException | InterruptedIOException e) {
            Thread.currentThread().interrupt();
            throw new NodeRequiredException("asking " + node + " for its version was interrupted");
        } catch (IOException e) {
            throw new NodeRequiredException(node + " could not be started (" + e.getMessage() + ")");
        }
    }
}
