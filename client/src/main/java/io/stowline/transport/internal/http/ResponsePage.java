package io.stowline.transport.internal.http;

/** A response's meaning that is a page of a list. */
public interface ResponsePage {

    /** Returns the number of its items. */
    int returned();

    /** Returns whether another page follows. */
    boolean continued();
}
