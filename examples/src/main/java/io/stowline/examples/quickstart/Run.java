package io.stowline.examples.quickstart;

import java.util.List;

/**
 * Cities of one country that fill a transaction, or the rest of that country.
 *
 * @param cities the cities
 * @param last whether the country has no more
 */
record Run(List<City> cities, boolean last) {}
