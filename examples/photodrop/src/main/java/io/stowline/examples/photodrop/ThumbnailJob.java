package io.stowline.examples.photodrop;

/**
 * A message that has a thumbnail made. Making it twice writes the same blob twice.
 *
 * @param photo the blob's name
 */
record ThumbnailJob(String photo) {}
