package io.stowline.examples.quickstart;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * A city as an entity: its country is the partition, its name and place are the row key.
 *
 * <p>The place has to be in the key, since hundreds of cities share country, regions and name with another. It is there
 * as the text of the source, which no number format can change; the name comes first, for prefix queries.
 *
 * @param country the ISO 3166-1 code
 * @param key what tells it from all others of its country
 * @param name the name
 * @param latitude degrees north
 * @param longitude degrees east
 * @param admin1 the code of its first region, perhaps empty
 * @param admin2 the code of its second region, perhaps empty
 */
record City(
        @PartitionKey String country,
        @RowKey String key,
        String name,
        double latitude,
        double longitude,
        String admin1,
        String admin2) {

    static City of(String country, String name, String latitude, String longitude, String admin1, String admin2) {
        return new City(
                country,
                CityKeys.join(name, latitude, longitude),
                name,
                Double.parseDouble(latitude),
                Double.parseDouble(longitude),
                admin1,
                admin2);
    }
}
