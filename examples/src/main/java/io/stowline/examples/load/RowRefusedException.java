package io.stowline.examples.load;

/** Says why a row cannot become an entity. */
final class RowRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    RowRefusedException(String reason) {
        super(reason);
    }
}
