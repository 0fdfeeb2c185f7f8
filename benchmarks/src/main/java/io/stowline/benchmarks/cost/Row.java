package io.stowline.benchmarks.cost;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * Ten properties, about 1 KB.
 *
 * @param partition its partition
 * @param key its key there
 * @param text0 a text, as the others
 */
record Row(
        @PartitionKey String partition,
        @RowKey String key,
        String text0,
        String text1,
        String text2,
        String text3,
        String text4,
        String text5,
        String text6,
        String text7,
        String text8,
        String text9) {

    static Row one() {
        String text = "x".repeat(80);
        return new Row("p", "r", text, text, text, text, text, text, text, text, text, text);
    }
}
