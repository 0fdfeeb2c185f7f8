package io.stowline.projection.internal.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mask that marks the parameters of a constructor which take their default arguments: those whose components have no value. Immutable.
 */
public final class DefaultMask {

    /**
     * A parameter with a default argument.
     *
     * @param bit its bit in the mask
     * @param position its place in the row; negative for a component that is never read
     * @param bits whether its values are kept as bits
     * @param unread the value that the constructor takes and does not read, where null would not do
     */
    public record MaskedParameter(
            int bit, int position, boolean bits, @Nullable Object unread) {

        private boolean isAbsent(ComponentRow row) {
            return position < 0 || (bits ? !row.present[position] : row.references[position] == null);
        }
    }

    private final int position;
    private final MaskedParameter[] parameters;

    /**
     * Makes a mask.
     *
     * @param position the place in the row that the mask gets
     * @param parameters the parameters with bits in it
     */
    public DefaultMask(int position, List<MaskedParameter> parameters) {
        this.position = position;
        this.parameters = parameters.toArray(MaskedParameter[]::new);
    }

    void fill(ComponentRow row) {
        int mask = 0;
        for (MaskedParameter parameter : parameters) {
            if (parameter.isAbsent(row)) {
                mask |= 1 << parameter.bit;
                if (parameter.unread != null) {
                    row.put(parameter.position, parameter.unread);
                }
            }
        }
        row.putPrimitive(position, mask);
    }
}
