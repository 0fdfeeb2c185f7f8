package io.stowline.examples.load;

/** The reason why a row cannot become an entity. */
final class RowRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    RowRefusedException(String reason) {
        super(reason);
    }
}
