package io.stowline.testkit;

import io.stowline.testkit.internal.CacheFolder;
import io.stowline.testkit.internal.NodeTools;
import io.stowline.testkit.internal.NpmInstall;
import io.stowline.testkit.internal.NpmManifest;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Packages from npm, pinned by a lock file on the class path and installed once into a cache folder of this user.
 *
 * <pre>{@code
 * Path folder = NpmPackages.of(Quickstart.class, "npm").install();
 * Path data = folder.resolve("node_modules/some-package/data.json");
 * }</pre>
 *
 * <p>The folder on the class path holds {@code package.json} and {@code package-lock.json}. The packages land in
 * {@code npm/<SHA-256 of the lock>} below the cache folder, which is the first of: the system property
 * {@code stowline.cache}; the environment variable {@code STOWLINE_CACHE}; {@code stowline} below {@code XDG_CACHE_HOME};
 * {@code ~/.cache/stowline} ({@code %LOCALAPPDATA%\stowline} on Windows). They are installed by {@code npm ci} without
 * running any script of theirs, with the settings of this user's npm.
 *
 * <p>Guarantees: a folder that was returned is whole, since it appears by one rename; threads and processes that start at
 * once install once; a process that dies half-way leaves nothing that a later one takes for whole; once installed, neither
 * npm nor the network is used again.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class NpmPackages {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final NpmManifest manifest;
    private final Duration timeout;

    private NpmPackages(NpmManifest manifest, Duration timeout) {
        this.manifest = manifest;
        this.timeout = timeout;
    }

    /**
     * Names the packages of a lock file. Nothing is installed yet.
     *
     * <p>In a named module the folder has to be open to this one, unless its name is no Java package name, as with a dash
     * in it.
     *
     * @param anchor the class whose package, or whose class path, holds the folder
     * @param folder the folder: relative to the class's package, or absolute with a leading slash
     * @return the packages
     * @throws IllegalArgumentException if one of the two files is not there
     */
    public static NpmPackages of(Class<?> anchor, String folder) {
        return new NpmPackages(NpmManifest.load(anchor, folder), TIMEOUT);
    }

    /**
     * Limits how long npm may run; 10 minutes unless set.
     *
     * @param limit a positive duration
     * @return packages with that limit
     * @throws IllegalArgumentException if the limit is not positive
     */
    public NpmPackages timeout(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("timeout must be positive: " + limit);
        }
        return new NpmPackages(manifest, limit);
    }

    /**
     * Installs the packages unless they are there, and blocks until they are.
     *
     * @return the folder that holds {@code node_modules}
     * @throws NodeRequiredException if npm is needed and it or Node.js is missing or too old
     * @throws TestkitException if npm fails, with the end of its output
     */
    public Path install() {
        return new NpmInstall(manifest, CacheFolder.ofThisProcess(), NodeTools.ofThisProcess(), timeout).run();
    }
}
