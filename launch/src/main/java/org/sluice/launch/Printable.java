package org.sluice.launch;

/**
 * Makes what came from outside fit for a terminal, which obeys control characters. <i>Thread</i>: any. <i>Proof</i>:
 * {@code PrintableTest}.
 */
public final class Printable {
    private static final int LONGEST = 2000;

    private Printable() {}

    /** The same without what isn't printed but obeyed, and cut off where it is long. */
    public static String text(String given) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < given.length() && i < LONGEST; i++) {
            char c = given.charAt(i);
            int type = Character.getType(c);
            // Some of the format's turn the direction of what stands around them.
            boolean obeyed = Character.isISOControl(c)
                    || type == Character.FORMAT
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR;
            text.append(obeyed ? '?' : c);
        }
        return given.length() > LONGEST ? text.append("...").toString() : text.toString();
    }
}
