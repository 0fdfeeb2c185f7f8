package io.stowline.examples.quickstart;

/**
 * A part of a {@link City}: a query as this type fetches these three properties and no others.
 *
 * @param name the name
 * @param latitude degrees north
 * @param longitude degrees east
 */
record Place(String name, double latitude, double longitude) {}
