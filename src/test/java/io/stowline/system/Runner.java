package io.stowline.system;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/** A runner's registration, as the article on table design has it. */
record Runner(@PartitionKey String race, @RowKey String id, String name, Integer age) {

    static Runner of(String race, int number) {
        return new Runner(race, "BIB:%05d".formatted(number), "Runner " + number, 20 + number % 60);
    }

    Runner aged(int years) {
        return new Runner(race, id, name, years);
    }
}
