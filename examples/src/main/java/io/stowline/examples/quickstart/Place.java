package io.stowline.examples.quickstart;

/**
 * A part of a {@link City}: a query as this type fetches these three properties and no others.
 *
 * @param name the name
 * @param lat degrees north
 * @param lng degrees east
 */
record Place(String name, double lat, double lng) {}
