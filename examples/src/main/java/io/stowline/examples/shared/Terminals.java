package io.stowline.examples.shared;

import java.io.Console;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A check whether the output is a terminal, on which a line can be drawn over. */
public final class Terminals {

    private Terminals() {}

    /**
     * Returns whether a line can be drawn over.
     *
     * @param console the console of the process, if it has one
     * @param environment the variables of the process
     * @return false for a file, a pipe and a dumb terminal
     */
    public static boolean canRedraw(@Nullable Console console, Map<String, String> environment) {
        return console != null && isTerminal(console) && !"dumb".equals(environment.get("TERM"));
    }

    // JDK 22 to 24 give a console that is no terminal too, and the method that distinguishes it; before, a console is a
    // terminal.
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
